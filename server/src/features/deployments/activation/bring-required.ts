import { sql } from 'kysely'
import type { Database } from '../../../database/connect.ts'
import { isOpenWork } from '../../work-states/work-states.ts'
import { type ActivationScope, executeInScope } from './activation-scope.ts'
import { dueWork, identityColumns, optionColumns } from './due-work.ts'
import { markPending, recordPendingEvents } from './publish-assignments.ts'
import { loadReachableOptions } from './reachable-options.ts'

/**
 * Creates the work with what offers require that a user has just taken, which any activation would create from now on. It belongs to
 * the tasks and rollouts of the offers. The caller has locked the computer of the scope.
 */
export async function bringRequired(db: Database, scope: ActivationScope, offerIds: readonly number[]): Promise<void> {
  const options = await loadReachableOptions(db, scope.computers, new Date())
  const insertion = sql<{ id: number }>`
    insert into work (computer_id, package_id, task_id, rollout_id, ${identityColumns}, not_before, window_ends_at, ${optionColumns})
    select computer_id, package_id, task_id, rollout_id, ${identityColumns}, not_before, window_ends_at, ${optionColumns}
    from (
      select due.*, offer.task_id, offer.rollout_id
      from (${dueWork('software', scope.computers, options)}) as due
        cross join lateral (
          select taken.task_id, taken.rollout_id from work taken
          where taken.id = any(${offerIds}::bigint[]) and taken.package_id = any(due.required_by)
          order by taken.package_id limit 1
        ) as offer
      where due.is_brought
    ) as brought
    order by package_id
    on conflict (computer_id, package_id) where ${isOpenWork('state')} and package_id is not null do nothing
    returning id`
  const { rows } = await executeInScope(db, scope, insertion)
  if (rows.length === 0) return
  const newWork = sql`select * from work where id = any(${rows.map(({ id }) => id)}::bigint[])`
  await markPending(db, newWork)
  await recordPendingEvents(db, newWork, 'Request')
}
