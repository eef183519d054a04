import { sql } from 'kysely'
import type { Database } from '../../src/database/connect.ts'

/** How often two transactions waited for each other both ways. The frame tries again, but a second late. */
export async function deadlocks(db: Database): Promise<number> {
  const { rows } = await sql<{ deadlocks: number }>`
    select deadlocks from pg_stat_database where datname = current_database()`.execute(db)
  return rows[0]?.deadlocks ?? 0
}
