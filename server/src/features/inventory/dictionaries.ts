import { sql } from 'kysely'
import { advisoryKeyOf } from '../../database/advisory-locks.ts'
import type { Database } from '../../database/connect.ts'

const lock = advisoryKeyOf('inventory dictionaries')

/** Until the end of the transaction no entry goes that a report has found and not linked yet. */
export async function lockDictionariesShared(db: Database): Promise<void> {
  await sql`select pg_advisory_xact_lock_shared(${lock})`.execute(db)
}

const atOnce = 1000

const dictionaries = [
  { entries: 'software_products', links: 'installed_software', column: 'product_id' },
  { entries: 'service_definitions', links: 'computer_services', column: 'definition_id' },
] as const

/** Removes products and services that no computer has any more, a few at a time. Returns how many there were. */
export async function purgeUnreferencedEntries(db: Database, signal?: AbortSignal): Promise<number> {
  let purged = 0
  for (const { entries, links, column } of dictionaries) {
    const isUnused = sql`
      not exists (select from ${sql.table(links)} link where link.${sql.ref(column)} = entry.id offset 0)`
    for (let count = atOnce; count === atOnce && !signal?.aborted; purged += count) {
      // Reports wait for the lock, so that the search is done before it is taken.
      const { rows } = await sql<{ id: number }>`
        select id from ${sql.table(entries)} entry where ${isUnused} limit ${atOnce}`.execute(db)
      count = await db.transaction().execute(async (transaction) => {
        await sql`select pg_advisory_xact_lock(${lock})`.execute(transaction)
        const ids = rows.map(({ id }) => id)
        const deleted = await sql`
          delete from ${sql.table(entries)} entry where id = any (${ids}::integer[]) and ${isUnused}`.execute(
          transaction,
        )
        return Number(deleted.numAffectedRows ?? 0)
      })
    }
  }
  return purged
}
