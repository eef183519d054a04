import { sql } from 'kysely'
import type { Database } from '../../src/database/connect.ts'
import { executePrepared } from '../../src/database/prepared-statements.ts'

/** Hashes the rows of every table, to detect any change of their values. */
export async function fingerprints(db: Database): Promise<Record<string, string>> {
  return summariseTables(db, 'coalesce(sum(hashtextextended(t::text, 0)), 0)')
}

/**
 * Detects any row of any table that was written, even with the values that it had before. It takes a fraction of the time of
 * `fingerprints`, because no value is read: each write gives a row the number of its transaction, which is higher than all
 * numbers before it, so the sum grows if the count stays the same. What was rolled back leaves no trace.
 */
export async function tableVersions(db: Database): Promise<Record<string, string>> {
  return summariseTables(db, 'coalesce(sum(t.xmin::text::bigint), 0)')
}

/** Unlogged tables, which contain only counters, and the times of last requests, which are recorded without an operation, are
 * left out. */
async function summariseTables(db: Database, summary: string): Promise<Record<string, string>> {
  const tables = await sql<{ name: string }>`
    select quote_ident(relname) as name from pg_class
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and relpersistence = 'p'
      and relname <> 'principal_uses' order by 1`.execute(db)
  const parts = tables.rows.map(
    ({ name }) => sql`
      select ${sql.lit(name)} as name, count(*) || ' rows ' || ${sql.raw(summary)} as fingerprint
      from ${sql.raw(name)} t`,
  )
  // Prepared, because planning a statement with all tables takes longer than running it.
  const query = sql<{ name: string; fingerprint: string }>`${sql.join(parts, sql` union all `)}`
  const { rows } = await executePrepared(db, query)
  return Object.fromEntries(rows.map(({ name, fingerprint }) => [name, fingerprint]))
}
