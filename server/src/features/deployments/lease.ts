import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../database/connect.ts'

/** For how long an agent has its work without saying anything about it. */
export const leaseSeconds = 900

/** A lease is renewed when it is older than this. */
const renewalSeconds = 60

export const newLease = sql<Date>`now() + ${sql.lit(leaseSeconds)} * interval '1 second'`

export const isOldLease = sql<boolean>`leased_until < now() + ${sql.lit(leaseSeconds - renewalSeconds)} * interval '1 second'`

export type Holder = {
  runId: RawBuilder<unknown>
  hasComeBack: RawBuilder<unknown>
  isEmptyHanded: RawBuilder<unknown>
}

/**
 * Whether the agent that makes a contact has lost the leased piece `work`: another process of it had the piece, which is
 * over unless the two take turns, or the answer that handed the piece to this process did not arrive.
 */
export function isLost(work: string, { runId, hasComeBack, isEmptyHanded }: Holder): RawBuilder<boolean> {
  const [run, progress] = [sql.ref(`${work}.run_id`), sql.ref(`${work}.progress`)]
  return sql<boolean>`
    (${run} <> ${runId} and not ${hasComeBack} or ${run} = ${runId} and ${isEmptyHanded} and ${progress} is null)`
}

/** Renews the lease of a piece that the computer has. */
export async function renewLease(db: Database, clientId: number, workId: number): Promise<void> {
  await db
    .updateTable('work')
    .set({ leased_until: newLease })
    .where('id', '=', workId)
    .where('computer_id', '=', clientId)
    .where('state', '=', 'Leased')
    .where(isOldLease)
    .execute()
}
