import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../database/connect.ts'

/**
 * Cancels pieces of work: parts of a with clause, of which `cancelled` has one row for each piece. `doomed` selects the
 * `id` of work that it has locked in the order of computer and package.
 */
export function cancelling(doomed: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`
    cancelled as (
      update work set state = 'Cancelled', closed_at = now() from (${doomed}) as doomed where work.id = doomed.id
      returning work.computer_id, work.package_id, work.kind
    ), freed as (
      update deployments set pending_since = null
      from (
        select d.computer_id, d.package_id
        from cancelled join deployments d on d.computer_id = cancelled.computer_id and d.package_id = cancelled.package_id
        order by d.computer_id, d.package_id for update of d
      ) as waiting
      where deployments.computer_id = waiting.computer_id and deployments.package_id = waiting.package_id
    ), told as (
      insert into distribution_events (computer_id, package_id, result, classification, install_mode)
      select computer_id, package_id, 'Cancelled', 'Cancellation', kind from cancelled where package_id is not null
    )`
}

/**
 * Cancels the open work of a package on a computer, because something else is wanted now; even if an agent has it: what it
 * still reports is a fact about the computer.
 */
export async function cancelOpenWork(db: Database, computerId: number, packageId: string): Promise<void> {
  await sql`
    with open as materialized (
      select id from work
      where computer_id = ${computerId} and package_id = ${packageId} and state in ('Due', 'Leased') for update
    ), ${cancelling(sql`select id from open`)}
    select from cancelled`.execute(db)
}
