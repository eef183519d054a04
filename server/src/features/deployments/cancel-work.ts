import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../database/connect.ts'
import { isOpenWork } from '../work-states/work-states.ts'
import { closeWork } from './close-work.ts'
import { insertDistributionEvents } from './distribution-events.ts'

/**
 * Builds parts of a `with` clause that cancel work items. One of them, `cancelled`, has one row for each item.
 * `obsolete` selects the items, which the statement has locked in the order of computer and package.
 */
export function cancelWorkCtes(obsolete: RawBuilder<{ id: number }>): RawBuilder<unknown> {
  const target = sql`from (${obsolete}) as target where work.id = target.id`
  return sql`
    cancelled as (
      ${closeWork('Cancelled', 'Service', target)}
      returning work.computer_id, work.package_id, work.kind
    ), updated_deployments as (
      update deployments set pending_since = null
      from (
        select d.computer_id, d.package_id
        from cancelled join deployments d on d.computer_id = cancelled.computer_id and d.package_id = cancelled.package_id
        order by d.computer_id, d.package_id for update of d
      ) as pending
      where deployments.computer_id = pending.computer_id and deployments.package_id = pending.package_id
    ), cancellation_events as (
      ${insertDistributionEvents({
        from: sql`cancelled where package_id is not null`,
        result: 'Cancelled',
        classification: 'Cancellation',
        installMode: sql.ref('kind'),
      })}
    )`
}

/**
 * Cancels the open work item of a package on a computer in favour of a newer request, even if an agent has leased it.
 * What that agent still reports is recorded as a fact about the computer.
 */
export async function cancelOpenWork(db: Database, computerId: number, packageId: string): Promise<void> {
  await sql`
    with open_work as materialized (
      select id from work
      where computer_id = ${computerId} and package_id = ${packageId} and ${isOpenWork('state')} for update
    ), ${cancelWorkCtes(sql`select id from open_work`)}
    select from cancelled`.execute(db)
}
