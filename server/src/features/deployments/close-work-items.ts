import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../database/connect.ts'
import { type ClosedBy, closeWork } from '../work-states/close-work.ts'
import { type ClosedWorkState, workLockOrder } from '../work-states/work-states.ts'
import { type WorkItem, workItemColumns } from './work-items.ts'

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
