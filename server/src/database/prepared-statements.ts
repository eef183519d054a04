import type { CompiledQuery } from 'kysely'
import type { Database } from './connect.ts'

type NamedQuery<Row = unknown> = CompiledQuery<Row> & { readonly statementName: string }

let statementCount = 0

/**
 * Declares a query that is compiled once per process and planned once per connection, not once per run. Use it for
 * queries that run often, take longer to plan than to run, and have one best plan for every value.
 */
export function preparedStatement<Value, Row>(
  build: (db: Database, value: Value) => CompiledQuery<Row>,
): (db: Database, value: Value) => Promise<Row[]> {
  // Marks the positions of the value among the compiled parameters.
  const placeholder = {} as Value & object
  let query: NamedQuery<Row> | undefined
  return async (db, value) => {
    query ??= { ...build(db, placeholder), statementName: `muster_${++statementCount}` }
    const parameters = query.parameters.map((parameter) => (parameter === placeholder ? value : parameter))
    const { rows } = await db.executeQuery<Row>({ ...query, parameters } as NamedQuery<Row>)
    return rows
  }
}

/** The name under which the driver prepares the query, or undefined for a query that is planned for each run. */
export function statementNameOf(query: CompiledQuery): string | undefined {
  return (query as Partial<NamedQuery>).statementName
}
