import { CompiledQuery } from 'kysely'
import pg from 'pg'
import type { Database } from './connect.ts'

const names = new Map<string, string>()

/**
 * A query that is built once and that each connection plans once, instead of both for each run. For queries that run
 * often, take longer to plan than to run, and have one best plan whatever the value is.
 */
export function prepared<Value, Row>(
  build: (db: Database, value: Value) => CompiledQuery<Row>,
): (db: Database, value: Value) => Promise<Row[]> {
  // Stands in the parameters where the value will stand.
  const place = {} as Value & object
  let built: CompiledQuery<Row> | undefined
  return async (db, value) => {
    if (!built) {
      built = build(db, place)
      names.set(built.sql, `muster_${names.size + 1}`)
    }
    const values = built.parameters.map((parameter) => (parameter === place ? value : parameter))
    const { rows } = await db.executeQuery<Row>(CompiledQuery.raw(built.sql, values))
    return rows
  }
}

type Send = (this: pg.ClientBase, ...parts: unknown[]) => unknown

/**
 * Sends the prepared queries of a connection under their names, by which the server keeps their plans, and tells of every
 * query that is sent.
 */
export function namePreparedQueries(client: pg.PoolClient, onQuery: () => void): void {
  client.query = ((first: unknown, ...rest: unknown[]) => {
    onQuery()
    const send: Send = pg.Client.prototype.query
    const name = typeof first === 'string' ? names.get(first) : undefined
    if (!name) return send.call(client, first, ...rest)
    const [values, ...others] = rest
    return send.call(client, { name, text: first, values }, ...others)
  }) as typeof client.query
}
