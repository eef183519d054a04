import { type RawBuilder, sql } from 'kysely'
import { advisoryKeyOf } from '../../database/advisory-locks.ts'
import type { Database } from '../../database/connect.ts'
import { executePrepared } from '../../database/prepared-statements.ts'

const lock = advisoryKeyOf('inventory dictionaries')

/**
 * Keeps entries from being purged until the end of the transaction. A report needs this between looking up an entry and
 * linking its computer to it: it takes the lock in a statement before.
 */
export const sharedDictionaryLock = sql`select pg_advisory_xact_lock_shared(${lock})`

/** The texts of entries by column, in which entries have the same place. Only those of `name` are never null. */
export type EntryTexts = { name: readonly string[] } & Record<string, readonly (string | null)[]>

/** The id of each entry. Those that are new to the fleet are added. */
export async function ensureEntries(db: Database, table: DictionaryTable, texts: EntryTexts): Promise<number[]> {
  const ids = await findEntries(db, table, texts)
  const places = ids.flatMap((id, place) => (id === null ? [place] : []))
  if (places.length === 0) return ids as number[]
  const added = (await addEntries(db, table, pickPlaces(texts, places))).values()
  return ids.map((id) => id ?? added.next().value) as number[]
}

/** The id of each entry, or null for one that is new to the fleet. */
async function findEntries(db: Database, table: DictionaryTable, texts: EntryTexts): Promise<(number | null)[]> {
  if (texts.name.length === 0) return []
  const { name: _, ...others } = texts
  const isSame = Object.keys(others).map((column) => `and stored.${column} is not distinct from item.${column}`)
  const { rows } = await executePrepared(
    db,
    sql<{ ids: (number | null)[] }>`
      select array_agg(stored.id order by item.place) as ids
      from ${unnestTexts(texts)}
        left join ${sql.table(table)} stored on stored.name = item.name ${sql.raw(isSame.join(' '))}`,
  )
  return rows[0]?.ids ?? []
}

/** Adds only entries that were looked up before, because every attempt to insert uses up an id. Returns their ids. */
async function addEntries(db: Database, table: DictionaryTable, texts: EntryTexts): Promise<(number | null)[]> {
  const columns = sql.raw(Object.keys(texts).join(', '))
  // In a fixed order so that two agents with the same new entries cannot deadlock.
  await executePrepared(
    db,
    sql`
      insert into ${sql.table(table)} (${columns})
      select distinct ${columns} from ${unnestTexts(texts)}
      order by ${columns}
      on conflict (${columns}) do nothing`,
  )
  return findEntries(db, table, texts)
}

/** The entries as rows of `item`, each with its place. */
function unnestTexts(texts: EntryTexts): RawBuilder<unknown> {
  const arrays = Object.values(texts).map((column) => sql`${column}::text[]`)
  const columns = sql.raw(Object.keys(texts).join(', '))
  return sql`unnest(${sql.join(arrays)}) with ordinality as item (${columns}, place)`
}

function pickPlaces(texts: EntryTexts, places: readonly number[]): EntryTexts {
  const picked = Object.entries(texts).map(([column, values]) => [column, places.map((place) => values[place])])
  return Object.fromEntries(picked) as EntryTexts
}

const batchSize = 1000

const dictionaries = [
  { entries: 'software_products', links: 'installed_software', column: 'product_id' },
  { entries: 'service_definitions', links: 'computer_services', column: 'definition_id' },
] as const

type DictionaryTable = (typeof dictionaries)[number]['entries']

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
