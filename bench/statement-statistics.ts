import { sql } from 'kysely'
import type { Database } from '../server/src/database/connect.ts'

export async function resetStatementStatistics(db: Database): Promise<void> {
  await sql`create extension if not exists pg_stat_statements`.execute(db)
  await sql`select pg_stat_statements_reset()`.execute(db)
}

/** Lists the statements that have taken the largest share of the time since the reset. */
export async function listBusiestStatements(db: Database): Promise<object[]> {
  const { rows } = await sql<object>`
    select round((100 * total_exec_time / sum(total_exec_time) over ())::numeric, 1)::float8 as "share in %", calls,
      round(mean_exec_time::numeric, 2)::float8 as "ms each",
      left(regexp_replace(query, '[[:space:]]+', ' ', 'g'), 60) as statement
    from pg_stat_statements
    where dbid = (select oid from pg_database where datname = current_database())
    order by total_exec_time desc
    limit 8`.execute(db)
  return rows
}
