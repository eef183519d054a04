import { nullable, Type } from '../../../platform/schema.ts'
import { count, data, name } from '../data-schemas.ts'
import { expression, pathOf, source } from '../event-source.ts'
import { eventType } from '../event-type.ts'

export const vulnerabilityEvents = [
  eventType({
    type: 'muster.vulnerability.exploited',
    summary: 'Computers have a vulnerability that is known to be exploited, and none had it before',
    role: 'pm.read',
    subject: 'The vulnerability',
    data: data('VulnerabilityExploited', {
      key: name('CVE-2026-12345'),
      title: nullable(name('openssl: memory corruption in the parser of certificates')),
      severity: name('Critical'),
      kevDueOn: nullable(
        Type.String({ format: 'date', examples: ['2026-04-01'], description: 'Until when KEV asks for a fix' }),
      ),
      computers: count('How many computers have it that no exception covers', 12),
    }),
    sources: [
      source({
        table: 'vulnerabilities',
        on: 'update',
        forEach: 'row',
        when: `row.kev_added_on is not null and row.open_computers > 0
          and (before.kev_added_on is null or before.open_computers = 0)`,
        subject: pathOf('getVulnerability', 'key'),
        data: {
          key: 'key',
          title: 'title',
          severity: 'severity',
          kevDueOn: expression('row.kev_due_on::text'),
          computers: 'open_computers',
        },
      }),
    ],
  }),
] as const
