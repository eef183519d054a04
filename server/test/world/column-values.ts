import { sql } from 'kysely'
import type { Database } from '../../src/database/connect.ts'

type Column = { table: string; column: string; hasFixedDefault: boolean }

/** Lists the columns without any value, and those whose only value may be their default: `computers.serial_number`. */
export async function listUnusedColumns(db: Database): Promise<string[]> {
  const { rows } = await sql<Column>`
    select c.table_name as "table", c.column_name as "column",
      coalesce(c.column_default !~ '(nextval|uuid|now)\\(', false) as "hasFixedDefault"
    from information_schema.columns c
    join information_schema.tables using (table_schema, table_name)
    where table_schema = 'public' and table_type = 'BASE TABLE'
    order by 1, 2`.execute(db)
  const unused: string[] = []
  for (const [table, columns] of Map.groupBy(rows, (row) => row.table)) {
    const counts = await countValues(db, table, columns)
    for (const { column, hasFixedDefault } of columns)
      if ((counts[column] ?? 0) < (hasFixedDefault ? 2 : 1)) unused.push(`${table}.${column}`)
  }
  return unused
}

/** The number of different values in each column. */
async function countValues(db: Database, table: string, columns: readonly Column[]): Promise<Record<string, number>> {
  const counts = columns.map(({ column }) => sql`count(distinct ${sql.ref(column)}::text)::int as ${sql.ref(column)}`)
  const { rows } = await sql<Record<string, number>>`select ${sql.join(counts)} from ${sql.table(table)}`.execute(db)
  return rows[0] ?? {}
}
