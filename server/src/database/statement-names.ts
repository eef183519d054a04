import type { CompiledQuery } from 'kysely'

/** A query that the driver prepares under its name: it is planned once per connection, not once per run. */
export type NamedQuery<Row = unknown> = CompiledQuery<Row> & { readonly statementName: string }

/** The name under which the driver prepares the query, or undefined for a query that is planned for each run. */
export function statementNameOf(query: CompiledQuery): string | undefined {
  return (query as Partial<NamedQuery>).statementName
}
