import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../database/connect.ts'

/** A lease ends after this time, unless the agent reports about the work item. */
export const leaseSeconds = 900

/** A lease is renewed only if it is older than this: not every report is worth a write. */
const renewalSeconds = 60

export const newLease = sql<Date>`now() + ${sql.lit(leaseSeconds)} * interval '1 second'`

/** Whether a lease is old enough to be renewed; `leasedUntil` names the column with its end. */
export function isRenewableLease(leasedUntil: string): RawBuilder<boolean> {
  return sql`${sql.ref(leasedUntil)} < now() + ${sql.lit(leaseSeconds - renewalSeconds)} * interval '1 second'`
}

/** The agent process that makes a contact, as SQL expressions. */
export type ContactingRun = {
  runId: RawBuilder<string>
  /** Whether another process of the agent was seen since this one was seen first. */
  isDuplicateProcess: RawBuilder<boolean>
  /** Whether this process has none of the work that was leased to it. The wire calls this `emptyHanded`. */
  hasNoLeasedWork: RawBuilder<boolean>
}

/**
 * Whether the agent has lost a leased work item. Either another process of the agent has leased it; that process has ended,
 * unless the two take turns. Or the answer that leased it to this process did not arrive. `work` is the alias of the item.
 */
export function isLost(
  work: string,
  { runId, isDuplicateProcess, hasNoLeasedWork }: ContactingRun,
): RawBuilder<boolean> {
  const [run, progress] = [sql.ref(`${work}.run_id`), sql.ref(`${work}.progress`)]
  return sql<boolean>`
    (${run} <> ${runId} and not ${isDuplicateProcess} or ${run} = ${runId} and ${hasNoLeasedWork} and ${progress} is null)`
}

/**
 * Renews the lease of a work item that is leased to the computer, unless its row is locked: an agent sends many such requests,
 * the next of which renews the lease as well, and each that waits would keep a connection from all other machines.
 */
export async function renewLease(db: Database, clientId: number, workId: number): Promise<void> {
  await sql`
    with renewable as materialized (
      select id from work
      where id = ${workId} and computer_id = ${clientId} and state = 'Leased' and ${isRenewableLease('leased_until')}
      for no key update skip locked
    )
    update work set leased_until = ${newLease} from renewable where work.id = renewable.id`.execute(db)
}
