import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../database/connect.ts'
import type { RequestParts } from '../../platform/operation.ts'
import { isUnfinished, isUnreleased } from './rollout-computers.ts'

type RolloutRequest = Pick<RequestParts, 'params'>

const idOf = ({ params }: RolloutRequest) => (params as { id: string }).id

/** The mass action of an operation on the rollout in its path; `condition` is one on `placed` and `ring`. */
function affects(condition: RawBuilder<boolean>) {
  return {
    computers: (request: RolloutRequest) => sql<{ computer_id: number }>`
      select placed.computer_id
      from rollout_computers placed
        join rollout_rings ring on ring.rollout_id = placed.rollout_id and ring.ring = placed.ring
      where placed.rollout_id = ${idOf(request)} and ${condition}`,
    async lock(db: Database, request: RolloutRequest): Promise<void> {
      await sql`select from rollouts where id = ${idOf(request)} for update`.execute(db)
    },
  }
}

/** Those of rings that have begun and still wait for work or for its result. Of a wave that waits for an approval, all. */
export const affectsUnfinished = affects(sql`
  (ring.state <> 'Waiting' or exists (select from rollouts where id = placed.rollout_id and pause ->> 'code' = 'Removals'))
  and (${isUnreleased('placed.state')} or ${isUnfinished('placed.state')})`)

/** Those that are not released yet, of rings that have begun and of the next one. */
export const affectsNextRing = affects(sql`
  ${isUnreleased('placed.state')} and ring.ring <= coalesce((
    select min(next.ring) from rollout_rings next where next.rollout_id = ring.rollout_id and next.state = 'Waiting'), ring.ring)`)

export const affectsFailed = affects(sql`placed.state = 'Failed'`)
