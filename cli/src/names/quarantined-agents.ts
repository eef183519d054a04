import type { components, MusterClient } from '@muster/client'
import { chooseOne, ifSimilar, isSameName, searchList } from './choose.ts'
import { fullName } from './computers.ts'

export type QuarantinedAgent = components['schemas']['QuarantinedAgent']

export const reportedName = ({ reportedName, reportedDomain }: QuarantinedAgent): string =>
  fullName({ hostname: reportedName, domain: reportedDomain })

/** Finds an agent in quarantine by the name that it reported, or by its id. Names are not proof: several agents may report one. */
export async function findQuarantinedAgent(client: MusterClient, name: string): Promise<QuarantinedAgent> {
  const { found, similar } = await searchList(
    client.pages('/api/quarantined-agents', { query: { top: 1_000 } }),
    (one) => isSameName(one.reportedName, name) || isSameName(reportedName(one), name) || `#${one.id}` === name,
    (one) => ifSimilar(name, one.reportedName),
  )
  return chooseOne(
    found,
    'quarantined agent',
    name,
    (one) => `#${one.id}  ${reportedName(one)}, ${one.address ?? 'no address'}, ${one.enrolledAtUtc}`,
    () => similar,
  )
}
