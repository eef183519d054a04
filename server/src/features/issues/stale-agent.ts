import { sql } from 'kysely'
import { ago, hoursSince } from '../../database/sql-time.ts'
import { Int32, Type } from '../../platform/schema.ts'
import { slowSchedules } from '../agents/agent-schedule.ts'
import { isAgentLate } from '../agents/agent-status.ts'
import { configurationGroupOf, issue } from './issue.ts'
import { onlyValue } from './occurrence-aggregates.ts'

type StaleAgent = { computer_id: number; hours_stale: number }

/** An agent that has never contacted the server is not stale. */
export const staleAgent = issue({
  name: 'stale-agent',
  thresholds: {
    minHoursStale: Type.Optional({
      ...Int32,
      minimum: 0,
      examples: [48],
      description:
        'Report agents whose last contact was at least this many hours ago. By default, the limit follows the schedule ' +
        'of each agent: one and a half contact intervals of its template, but at least 24 hours.',
    }),
    maxHoursStale: Type.Optional({
      ...Int32,
      minimum: 0,
      examples: [720],
      description: 'Report only agents whose last contact was at most this many hours ago. No limit by default.',
    }),
  },
  occurrences({ minHoursStale, maxHoursStale }) {
    const conditions = [
      minHoursStale === undefined
        ? isAgentLate({ lastSeenAt: 'contact.last_seen_at', staleAfter: 'schedule.stale_after' })
        : sql`contact.last_seen_at <= ${ago({ hours: minHoursStale })}`,
      ...(maxHoursStale === undefined ? [] : [sql`contact.last_seen_at >= ${ago({ hours: maxHoursStale })}`]),
    ]
    return sql<StaleAgent>`
      select contact.computer_id, ${hoursSince('contact.last_seen_at')} as hours_stale
      from computer_contacts contact
        left join (${slowSchedules()}) as schedule on schedule.computer_id = contact.computer_id
      where ${sql.join(conditions, sql` and `)}`
  },
  properties: { staleAgentHours: Type.Number({ examples: [49.5], description: 'Hours since the last contact' }) },
  values: (column) => ({ staleAgentHours: onlyValue(column.hours_stale) }),
  detail: (column) => sql<string>`'Silent for ' || ${onlyValue(column.hours_stale)} || ' hours'`,
  cause: { kind: 'Group', id: (column) => configurationGroupOf(column.computer_id) },
})
