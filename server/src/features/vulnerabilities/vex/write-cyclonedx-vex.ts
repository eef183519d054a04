import type { Static } from '../../../platform/schema.ts'
import type { ExportedException, VexSubject } from './exported-exceptions.ts'
import type { CycloneDxVex } from './schemas.ts'
import { acceptedUntil, allPackages } from './statements.ts'

type Vulnerability = Static<typeof CycloneDxVex>['vulnerabilities'][number]

/** The document about exceptions. It has no random number, so the same exceptions result in the same one. */
export function writeCycloneDxVex(
  { type, name }: VexSubject,
  exceptions: readonly ExportedException[],
): Static<typeof CycloneDxVex> {
  return {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: { component: { 'bom-ref': allPackages, type, name } },
    components: listComponents(exceptions),
    vulnerabilities: exceptions.map(toVulnerability),
  }
}

function listComponents(exceptions: readonly ExportedException[]) {
  const byUrl = new Map(exceptions.flatMap((one) => (one.url === null ? [] : [[one.url, one] as const])))
  return [...byUrl].map(([url, { package: name, packageVersion }]) => ({
    'bom-ref': url,
    type: 'library' as const,
    name: name ?? url,
    ...(packageVersion !== null && { version: packageVersion }),
    purl: url,
  }))
}

type State = Pick<Vulnerability['analysis'], 'state' | 'response'>

const states: Record<ExportedException['status'], State> = {
  NotAffected: { state: 'not_affected' },
  FalsePositive: { state: 'false_positive' },
  Accepted: { state: 'exploitable', response: ['will_not_fix'] },
}

function toVulnerability(exception: ExportedException): Vulnerability {
  const { vulnerability, status, reason, createdUtc, expiresUtc, approvedBy, url } = exception
  const property = (name: Vulnerability['properties'][number]['name'], value: string) => ({ name, value })
  return {
    id: vulnerability,
    analysis: { ...states[status], detail: reason, firstIssued: createdUtc },
    affects: [{ ref: url ?? allPackages }],
    properties: [
      property('muster:approvedBy', approvedBy),
      ...(expiresUtc === null ? [] : [property(acceptedUntil, expiresUtc.toISOString())]),
    ],
  }
}
