import { sql } from 'kysely'
import type { Database } from '../../database/connect.ts'

/** For how long an agent has its work without saying anything about it. */
export const leaseSeconds = 900

/** A lease is renewed when it is older than this. */
const renewalSeconds = 60

export const newLease = sql<Date>`now() + ${sql.lit(leaseSeconds)} * interval '1 second'`

export const isOldLease = sql<boolean>`leased_until < now() + ${sql.lit(leaseSeconds - renewalSeconds)} * interval '1 second'`

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
