import { sql } from 'kysely'
import type { Database } from '../../database/connect.ts'
import type { WorkCandidate } from './work-candidates.ts'

/**
 * A rollout does not wait for offers. One that a user takes while the rollout continues is work like any other: whether it fails
 * counts for the limits.
 */
export async function reopenRolloutComputers(db: Database, taken: readonly WorkCandidate[]): Promise<void> {
  const isOfRollout = ({ rollout_state: state }: WorkCandidate) =>
    state !== null && state !== 'Completed' && state !== 'Cancelled'
  const ids = taken.filter(isOfRollout).map(({ id }) => id)
  if (ids.length === 0) return
  await sql`
    with reopened as materialized (
      select known.rollout_id, known.computer_id
      from rollout_computers known
        join work on work.rollout_id = known.rollout_id and work.computer_id = known.computer_id
      where work.id = any(${ids}::bigint[]) and known.state in ('Succeeded', 'NothingDue')
      order by known.rollout_id, known.computer_id for no key update of known
    )
    update rollout_computers known set state = 'Pending', finished_at = null
    from reopened where known.rollout_id = reopened.rollout_id and known.computer_id = reopened.computer_id`.execute(db)
}
