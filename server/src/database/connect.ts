import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import { namePreparedQueries } from './prepared-statements.ts'
import type { DB } from './tables.ts'

/** The one handle an operation gets: the pool for reads, the open transaction for everything else. */
export type Database = Kysely<DB>

export type Connection = { connectionString: string } | { host: string; port: number; user: string; database: string }

export type ConnectedDatabase = {
  db: Database
  pool: pg.Pool
  /** How many statements were sent so far, those that begin and end transactions among them. */
  statementCount(): number
  close(): Promise<void>
}

// bigint columns are counts and positions that stay far below 2^53.
pg.types.setTypeParser(pg.types.builtins.INT8, Number)

export type PoolOptions = { size?: number; onIdleError?: (error: Error) => void }

export function connect(
  connection: Connection,
  { size = 20, onIdleError = () => {} }: PoolOptions = {},
): ConnectedDatabase {
  const pool = new pg.Pool({
    ...connection,
    // PGSSLMODE is meant for servers on a network; the embedded one has no TLS on its socket.
    ...('host' in connection && { ssl: false }),
    max: size,
    connectionTimeoutMillis: 5_000,
    statement_timeout: 60_000,
    idle_in_transaction_session_timeout: 60_000,
    application_name: 'muster',
  })
  let isClosing = false
  let statements = 0
  // A connection that breaks while idle is replaced by the pool; without a listener Node would end the process.
  pool.on('error', (error) => {
    // The pool does not wait for its connections to end, so that the server may be the first to end them.
    if (!isClosing) onIdleError(error)
  })
  // Likewise while it is in use; there its statement fails, or the next one.
  pool.on('connect', (client) => {
    client.on('error', () => {})
    namePreparedQueries(client, () => {
      statements++
    })
  })
  const db = new Kysely<DB>({ dialect: new PostgresDialect({ pool }) })
  return {
    db,
    pool,
    statementCount: () => statements,
    async close() {
      isClosing = true
      await db.destroy()
      // Kysely ends the pool only if it was used through Kysely.
      if (!pool.ending) await pool.end()
    },
  }
}
