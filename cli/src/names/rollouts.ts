import type { components, MusterClient } from '@muster/client'
import { chooseOne, ifSimilar, isSameName, searchList } from './choose.ts'

type Summary = components['schemas']['RolloutSummary']

const hasEnded = ({ state }: Summary) => state === 'Completed' || state === 'Cancelled'

/** Finds a rollout by its name or id. One that has not ended is preferred to earlier ones with the same name. */
export async function findRollout(client: MusterClient, name: string): Promise<Summary> {
  const { found, similar } = await searchList(
    client.pages('/api/rollouts', { query: { top: 1_000 } }),
    (rollout) => isSameName(rollout.name, name) || rollout.rolloutId === name,
    (rollout) => ifSimilar(name, rollout.name),
  )
  const open = found.filter((rollout) => !hasEnded(rollout))
  return chooseOne(
    open.length > 0 ? open : found,
    'rollout',
    name,
    ({ rolloutId, state, groupPath, createdAtUtc }) => `${rolloutId}  ${state}, ${groupPath}, ${createdAtUtc}`,
    () => similar,
  )
}
