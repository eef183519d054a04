import type { CompiledQuery, QueryResult, RawBuilder } from 'kysely'
import type { Database } from './connect.ts'
import type { NamedQuery } from './statement-names.ts'

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

/** A connection keeps each prepared statement, so their number is limited. */
const maxTexts = 200
const namesOfTexts = new Map<string, string>()

/**
 * Runs a query whose text is put together from few variants. Each variant is planned once per connection. The same rules
 * apply as for `preparedStatement`.
 */
export function executePrepared<Row>(db: Database, query: RawBuilder<Row>): Promise<QueryResult<Row>> {
  const compiled = query.compile(db)
  if (!namesOfTexts.has(compiled.sql) && namesOfTexts.size < maxTexts)
    namesOfTexts.set(compiled.sql, `muster_${++statementCount}`)
  const statementName = namesOfTexts.get(compiled.sql)
  return db.executeQuery<Row>(statementName ? ({ ...compiled, statementName } as NamedQuery<Row>) : compiled)
}
