import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../database/connect.ts'
import { type ClosedWorkState, workLockOrder } from '../work-states/work-states.ts'
import { type WorkItem, workItemColumns } from './work-items.ts'

/** Agent: by reporting the result. Service: without such a report. */
export type ClosedBy = 'Agent' | 'Service'

/**
 * Builds the only statement that closes work items. `target` names them: `where …` or `from … where …`.
 *
 * On a closed item, `run_id` means that the agent has not reported its result yet. A report clears it, so the service
 * ignores a repeated report. If the service closes the item, `run_id` stays: the agent may be working on it. The agent
 * then learns of a cancellation when it reports progress, and its result is still recorded as a fact about the computer.
 */
export function closeWork(
  state: ClosedWorkState,
  closedBy: ClosedBy,
  target: RawBuilder<unknown>,
): RawBuilder<unknown> {
  const clearedRun = closedBy === 'Agent' ? sql`, run_id = null` : sql``
  return sql`
    update work set state = ${sql.lit(state)}, closed_at = now(), leased_until = null${clearedRun}
    ${target}`
}

/** Closes the work items that meet the condition on `work`, and returns them in the order of their packages. */
export async function closeWorkItems(
  db: Database,
  state: ClosedWorkState,
  closedBy: ClosedBy,
  condition: RawBuilder<boolean>,
): Promise<WorkItem[]> {
  const { rows } = await sql<WorkItem>`
    with target as materialized (
      select id from work where ${condition} order by ${workLockOrder('work')} for update
    ), closed as (
      ${closeWork(state, closedBy, sql`from target where work.id = target.id`)}
      returning work.*
    )
    select ${workItemColumns('closed', 'packages')}
    from closed left join packages on packages.id = closed.package_id
    order by closed.package_id`.execute(db)
  return rows
}
