import { type RawBuilder, sql } from 'kysely'
import { advisoryKeyOf } from '../../database/advisory-locks.ts'
import type { Database } from '../../database/connect.ts'

const lock = advisoryKeyOf('inventory dictionaries')

/**
 * Keeps entries from being purged until the end of the transaction. A report needs this between looking up an entry and
 * linking its computer to it.
 */
export async function lockDictionariesShared(db: Database): Promise<void> {
  await sql`select pg_advisory_xact_lock_shared(${lock})`.execute(db)
}

const batchSize = 1000

const dictionaries = [
  { entries: 'software_products', links: 'installed_software', column: 'product_id' },
  { entries: 'service_definitions', links: 'computer_services', column: 'definition_id' },
] as const

/** Deletes products and services that no computer has any more, in batches. Returns how many it deleted. */
export async function purgeUnreferencedEntries(db: Database, signal?: AbortSignal): Promise<number> {
  let purged = 0
  for (const { entries, links, column } of dictionaries) {
    const isUnreferenced: RawBuilder<boolean> = sql`
      not exists (select from ${sql.table(links)} link where link.${sql.ref(column)} = entry.id offset 0)`
    for (let count = batchSize; count === batchSize && !signal?.aborted; purged += count) {
      // Reports wait for the lock, so the slow search runs before the lock is taken.
      const { rows } = await sql<{ id: number }>`
        select id from ${sql.table(entries)} entry where ${isUnreferenced} limit ${batchSize}`.execute(db)
      count = await db.transaction().execute(async (transaction) => {
        await sql`select pg_advisory_xact_lock(${lock})`.execute(transaction)
        const ids = rows.map(({ id }) => id)
        const deleted = await sql`
          delete from ${sql.table(entries)} entry where id = any (${ids}::integer[]) and ${isUnreferenced}`.execute(
          transaction,
        )
        return Number(deleted.numAffectedRows ?? 0)
      })
    }
  }
  return purged
}
