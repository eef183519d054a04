import { sql } from 'kysely'
import type { Database } from '../../database/connect.ts'
import type { ComputerExplanation, ExplainedBlocker } from './api/schemas.ts'
import { newBlocker } from './explained-blockers.ts'

export type ExplainedRollout = ComputerExplanation['rollouts'][number]

/** Lists the rollouts that have not ended and bring any of the packages to the computer, the latest first. */
export async function listRolloutsOfComputer(
  db: Database,
  computerId: number,
  packageIds: readonly string[],
): Promise<ExplainedRollout[]> {
  const { rows } = await sql<ExplainedRollout>`
    select rollouts.id as "rolloutId", rollouts.name, rollouts.state, ring.ring, ring.name as "ringName",
      ring.state as "ringState", placed.released_at as "releasedAtUtc"
    from rollout_computers placed
      join rollouts on rollouts.id = placed.rollout_id and rollouts.ended_at is null
      join rollout_rings ring on ring.rollout_id = placed.rollout_id and ring.ring = placed.ring
    where placed.computer_id = ${computerId}
      and (rollouts.package_id is null or rollouts.package_id = any(${packageIds}::uuid[]))
      and (rollouts.approved_content is null or ${bringsAny(packageIds)})
    order by rollouts.created_at desc, rollouts.id`.execute(db)
  return rows
}

/** Whether a line of the rollout, such as that of an approval or of a wave, is about one of them. Lines begin with the kind of work. */
const bringsAny = (packageIds: readonly string[]) => sql<boolean>`exists (
  select from packages p
    cross join concat_ws(' ', p.name, nullif(p.version, ''), 'sha256 ' || encode(p.content_hash, 'hex')) as content
    cross join unnest(rollouts.approved_content) as line
  where p.id = any(${packageIds}::uuid[]) and right(line, length(content)) = content)`

/** What an activation is missing for, if a rollout will make it. */
export function findUnreleased(rollouts: readonly ExplainedRollout[]): ExplainedBlocker | undefined {
  const waiting = rollouts.find(({ state, releasedAtUtc }) => releasedAtUtc === null && state !== 'Cancelled')
  if (!waiting) return undefined
  const { name, ring, ringState, state } = waiting
  const paused = state === 'Paused' ? ' The rollout is paused.' : ''
  const message =
    ringState === 'Waiting'
      ? `Ring ${ring} of the rollout “${name}” has not begun.${paused}`
      : `Ring ${ring} of the rollout “${name}” has not released the computer yet.${paused}`
  return newBlocker('RingNotReleased', message)
}
