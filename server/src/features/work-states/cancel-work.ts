import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../database/connect.ts'
import { type Cancellation, formatCancellation } from './cancel-reasons.ts'
import { closeWork } from './close-work.ts'
import { insertDistributionEvents } from './distribution-events.ts'
import { isOpenWork, workLockOrder } from './work-states.ts'

/**
 * Builds parts of a `with` clause that cancel work items. One of them, `cancelled`, has one row for each item.
 * `obsolete` selects the items, which the statement has locked in the order of computer and package.
 */
export function cancelWorkCtes(obsolete: RawBuilder<{ id: number }>, cancellation: Cancellation): RawBuilder<unknown> {
  return sql`
    cancelled as (
      ${cancelWork(sql`from (${obsolete}) as target where work.id = target.id`, cancellation)}
      returning work.computer_id, work.package_id, work.kind, work.reinstall_group_id
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
        info: formatCancellation(cancellation),
      })}
    )`
}

/** Builds the statement that cancels the work items of `target`, as `closeWork` takes it. */
export function cancelWork(target: RawBuilder<unknown>, { reason, subject }: Cancellation): RawBuilder<unknown> {
  const why = sql`, cancel_reason = ${sql.lit(reason)}, cancel_subject = ${subject ?? null}::text`
  return closeWork('Cancelled', 'Service', target, why)
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
    ), ${cancelWorkCtes(sql`select id from open_work`, { reason: 'NewRequest' })}
    select from cancelled`.execute(db)
}

/** The same on many computers. */
export async function cancelOpenWorkOn(db: Database, computerIds: readonly number[], packageId: string): Promise<void> {
  await sql`
    with open_work as materialized (
      select work.id from work
      where work.computer_id = any(${computerIds}::integer[]) and work.package_id = ${packageId} and ${isOpenWork('work.state')}
      order by ${workLockOrder('work')} for update
    ), ${cancelWorkCtes(sql`select id from open_work`, { reason: 'NewRequest' })}
    select from cancelled`.execute(db)
}
