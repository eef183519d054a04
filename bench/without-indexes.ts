import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../server/src/database/connect.ts'

/**
 * Runs the statements without these indexes, foreign key checks and the statement timeout. Building the indexes afterwards
 * is many times faster than updating them for each row.
 */
export async function withoutIndexes(
  db: Database,
  indexes: readonly string[],
  statements: readonly RawBuilder<unknown>[],
): Promise<void> {
  const { rows } = await sql<{ definition: string }>`
    select pg_get_indexdef(name::regclass) as definition from unnest(${indexes}::text[]) as name`.execute(db)
  await db.connection().execute(async (connection) => {
    await sql`set session_replication_role = replica`.execute(connection)
    await sql`set statement_timeout = 0`.execute(connection)
    for (const name of indexes) await sql`drop index ${sql.id(name)}`.execute(connection)
    for (const statement of statements) await statement.execute(connection)
    for (const { definition } of rows) await sql.raw(definition).execute(connection)
    await sql`reset session_replication_role`.execute(connection)
    await sql`reset statement_timeout`.execute(connection)
  })
}
