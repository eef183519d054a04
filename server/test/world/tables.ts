import { sql } from 'kysely'
import type { Database } from '../../src/database/connect.ts'

/** A fingerprint of the rows of every table, to see whether anything changed anywhere. */
export async function fingerprints(db: Database): Promise<Record<string, string>> {
  const tables = await sql<{ name: string }>`
    select quote_ident(tablename) as name from pg_tables where schemaname = 'public' order by 1`.execute(db)
  const found: Record<string, string> = {}
  for (const { name } of tables.rows) {
    const { rows } = await sql<{ fingerprint: string }>`
      select count(*) || ' rows ' || md5(coalesce(string_agg(t::text, '' order by t::text), '')) as fingerprint
      from ${sql.raw(name)} t`.execute(db)
    found[name] = rows[0]?.fingerprint ?? ''
  }
  return found
}
