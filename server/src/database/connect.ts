import { Kysely } from 'kysely'
import pg from 'pg'
import { PreparingPostgresDialect } from './postgres-driver.ts'
import type { DB } from './tables.ts'

/** The database handle of an operation: the pool for reads, the open transaction for everything else. */
export type Database = Kysely<DB>

export type Connection = { connectionString: string } | { host: string; port: number; user: string; database: string }

export type ConnectedDatabase = {
  db: Database
  pool: pg.Pool
  /** The number of statements sent so far, including those that begin and end transactions. */
  statementCount(): number
  close(): Promise<void>
}

// The bigint columns are counts and positions, which stay far below 2^53.
pg.types.setTypeParser(pg.types.builtins.INT8, Number)

export type PoolOptions = { size?: number; onIdleError?: (error: Error) => void }

export function connect(
  connection: Connection,
  { size = 20, onIdleError = () => {} }: PoolOptions = {},
): ConnectedDatabase {
  let statementCount = 0
  const pool = new pg.Pool({
    ...connection,
    // PGSSLMODE is meant for servers on a network. The embedded server has no TLS on its socket.
    ...('host' in connection && { ssl: false }),
    Client: countingClient(() => {
      statementCount++
    }),
    max: size,
    connectionTimeoutMillis: 5_000,
    statement_timeout: 60_000,
    idle_in_transaction_session_timeout: 60_000,
    application_name: 'muster',
  })
  let isClosing = false
  // Without a listener, Node would end the process. The pool replaces a connection that breaks while it is idle.
  pool.on('error', (error) => {
    // The pool does not wait until its connections are closed, so the server may close them first.
    if (!isClosing) onIdleError(error)
  })
  // When a connection breaks while it is in use, its current or next statement fails.
  pool.on('connect', (client) => client.on('error', () => {}))
  const db = new Kysely<DB>({ dialect: new PreparingPostgresDialect(pool) })
  return {
    db,
    pool,
    statementCount: () => statementCount,
    async close() {
      isClosing = true
      await db.destroy()
      // Kysely ends the pool only if it was used through Kysely.
      if (!pool.ending) await pool.end()
    },
  }
}

/** A client of the pool that reports each statement it sends, whether through Kysely or directly. */
function countingClient(onStatement: () => void): new () => pg.Client {
  return class extends pg.Client {
    override query(...parts: never[]): never {
      onStatement()
      return Reflect.apply(super.query, this, parts) as never
    }
  }
}
