import { sql } from 'kysely'
import type { Database } from '../../src/database/connect.ts'
import { executePrepared } from '../../src/database/prepared-statements.ts'

/** Hashes the rows of every table, to detect any change. Unlogged tables, which contain only counters, and the times of last
 * requests, which are recorded without an operation, are left out. */
export async function fingerprints(db: Database): Promise<Record<string, string>> {
  const tables = await sql<{ name: string }>`
    select quote_ident(relname) as name from pg_class
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and relpersistence = 'p'
      and relname <> 'principal_uses' order by 1`.execute(db)
  const parts = tables.rows.map(
    ({ name }) => sql`
      select ${sql.lit(name)} as name,
        count(*) || ' rows ' || coalesce(sum(hashtextextended(t::text, 0)), 0) as fingerprint
      from ${sql.raw(name)} t`,
  )
  // Prepared, because planning a statement with all tables takes longer than running it.
  const query = sql<{ name: string; fingerprint: string }>`${sql.join(parts, sql` union all `)}`
  const { rows } = await executePrepared(db, query)
  return Object.fromEntries(rows.map(({ name, fingerprint }) => [name, fingerprint]))
}
