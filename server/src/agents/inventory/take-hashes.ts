import { sql } from 'kysely'
import type { Database } from '../../database/connect.ts'

export type ToldHash = { section: string; hash: Buffer; collectedAt: Date }

/** The sections whose content is another than the stored one. Their rows are locked: two reports follow one another. */
export async function takeHashes(
  db: Database,
  computerId: number,
  told: readonly ToldHash[],
): Promise<ReadonlySet<string>> {
  const stored = await db
    .selectFrom('inventory_sections')
    .select(['section', 'hash'])
    .where('computer_id', '=', computerId)
    .where(
      'section',
      'in',
      told.map(({ section }) => section),
    )
    .execute()
  const isStored = ({ section, hash }: ToldHash) =>
    stored.some((one) => one.section === section && one.hash.equals(hash))
  const changed = told.filter((one) => !isStored(one)).toSorted((a, b) => (a.section < b.section ? -1 : 1))
  if (changed.length === 0) return new Set()
  await db
    .insertInto('inventory_sections')
    .values(
      changed.map(({ section, hash, collectedAt }) => ({
        computer_id: computerId,
        section,
        hash,
        collected_at: collectedAt,
        received_at: sql<Date>`clock_timestamp()`,
      })),
    )
    .onConflict((conflict) =>
      conflict.columns(['computer_id', 'section']).doUpdateSet(({ ref }) => ({
        hash: ref('excluded.hash'),
        collected_at: ref('excluded.collected_at'),
        received_at: ref('excluded.received_at'),
      })),
    )
    .execute()
  return new Set(changed.map(({ section }) => section))
}

/**
 * Moves the date of the inventory: once for all sections that come together, and once a day where nothing is new. The
 * server's clock counts, since nobody knows how wrong that of a computer is.
 */
export async function noteInventory(db: Database, computerId: number, isNew: boolean): Promise<void> {
  const age = isNew ? '5 minutes' : '1 day'
  await sql`
    update computers set inventory_at = now()
    where id = ${computerId} and coalesce(inventory_at < now() - ${age}::interval, true)`.execute(db)
}
