import { sql } from 'kysely'
import type { Database } from '../../src/database/connect.ts'
import { executePrepared } from '../../src/database/prepared-statements.ts'

/** The hash of each table of a database, with the version of the table for which it was made. */
const knownHashes = new WeakMap<Database, Map<string, { version: string; hash: string }>>()

/**
 * Hashes the rows of every table, to detect any change of their values. Only tables that were written since they were last hashed
 * are read.
 */
export async function fingerprints(db: Database): Promise<Record<string, string>> {
  const known = knownHashes.get(db) ?? new Map<string, { version: string; hash: string }>()
  knownHashes.set(db, known)
  const versions = await tableVersions(db)
  const written = Object.keys(versions).filter((name) => known.get(name)?.version !== versions[name])
  if (written.length > 0)
    for (const [name, hash] of await summariseTables(db, written, 'coalesce(sum(hashtextextended(t::text, 0)), 0)'))
      known.set(name, { version: versions[name] ?? '', hash })
  return Object.fromEntries(Object.keys(versions).map((name) => [name, known.get(name)?.hash ?? '']))
}

/**
 * Detects any row of any table that was written, even with the values that it had before. It takes a fraction of the time of
 * hashing the rows, because no value is read: each write gives a row the number of its transaction, which is higher than all
 * numbers before it, so the sum grows if the count stays the same. What was rolled back leaves no trace. Unlogged tables, which
 * contain only counters, and the times of last requests, which are recorded without an operation, are left out.
 */
export async function tableVersions(db: Database): Promise<Record<string, string>> {
  const tables = await sql<{ name: string }>`
    select quote_ident(relname) as name from pg_class
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and relpersistence = 'p'
      and relname <> 'principal_uses' order by 1`.execute(db)
  const names = tables.rows.map(({ name }) => name)
  return Object.fromEntries(await summariseTables(db, names, 'coalesce(sum(t.xmin::text::bigint), 0)'))
}

async function summariseTables(db: Database, names: readonly string[], summary: string): Promise<[string, string][]> {
  const parts = names.map(
    (name) => sql`
      select ${sql.lit(name)} as name, count(*) || ' rows ' || ${sql.raw(summary)} as summary
      from ${sql.raw(name)} t`,
  )
  // Prepared, because planning a statement with all tables takes longer than running it.
  const query = sql<{ name: string; summary: string }>`${sql.join(parts, sql` union all `)}`
  const { rows } = await executePrepared(db, query)
  return rows.map(({ name, summary }) => [name, summary])
}
