import { sql } from 'kysely'
import type { Database } from './connect.ts'
import type { DB } from './tables.ts'

type Table = keyof DB & string

/**
 * Refreshes the statistics of the tables that have grown considerably since they were last analysed. Call it as the last step of a
 * transaction that may have written many rows: its commit then makes prepared statements plan again, with statistics that
 * include these rows. It costs one short statement if no table has grown. It never waits for a lock and never fails for
 * one: a table that somebody else vacuums or analyses at the same time is skipped.
 */
export async function analyzeGrownTables(db: Database, tables: readonly Table[]): Promise<void> {
  await sql`select analyze_grown_tables(${[...tables]}::text[])`.execute(db)
}
