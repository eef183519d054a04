import { sql } from 'kysely'
import pg from 'pg'
import type { Database } from './connect.ts'
import { isDatabaseUnavailable, isSerializationConflict } from './errors.ts'

export type FailedItem<T> = { item: T; error: unknown }

/**
 * Does the work for every item as if each had a transaction of its own, inside the one that is open: an item for which
 * the database refuses it stays as it was, and the others do not notice. All items are tried at once, and only if that
 * fails in halves, so that the number of statements does not grow with items that are in order.
 */
export async function inParts<T>(
  db: Database,
  items: readonly T[],
  work: (part: readonly T[]) => Promise<void>,
): Promise<FailedItem<T>[]> {
  const [item] = items
  if (item === undefined) return []
  const error = await attempt(db, () => work(items))
  if (error === undefined) return []
  if (items.length === 1) return [{ item, error }]
  const half = Math.ceil(items.length / 2)
  return [...(await inParts(db, items.slice(0, half), work)), ...(await inParts(db, items.slice(half), work))]
}

async function attempt(db: Database, work: () => Promise<void>): Promise<unknown> {
  await sql`savepoint part`.execute(db)
  try {
    await work()
    await sql`release savepoint part`.execute(db)
    return undefined
  } catch (error) {
    // What concerns the whole transaction is not for one part to survive.
    if (!(error instanceof pg.DatabaseError) || isSerializationConflict(error) || isDatabaseUnavailable(error))
      throw error
    await sql`rollback to savepoint part`.execute(db)
    await sql`release savepoint part`.execute(db)
    return error
  }
}
