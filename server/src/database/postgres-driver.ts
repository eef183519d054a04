import { CompiledQuery, type DatabaseConnection, PostgresDialect, PostgresDriver, type QueryResult } from 'kysely'
import type pg from 'pg'
import { statementNameOf } from './prepared-statements.ts'

/** Kysely's PostgreSQL dialect, except that its driver sends prepared statements by name. */
export class PreparingPostgresDialect extends PostgresDialect {
  readonly #pool: pg.Pool

  constructor(pool: pg.Pool) {
    super({ pool })
    this.#pool = pool
  }

  override createDriver(): PostgresDriver {
    return new PreparingPostgresDriver(this.#pool)
  }
}

/** Replaces the connections of Kysely's driver, and therefore also the methods that use their internals. */
class PreparingPostgresDriver extends PostgresDriver {
  readonly #pool: pg.Pool
  readonly #connections = new WeakMap<pg.PoolClient, PreparingConnection>()

  constructor(pool: pg.Pool) {
    super({ pool })
    this.#pool = pool
  }

  override async acquireConnection(): Promise<DatabaseConnection> {
    const client = await this.#pool.connect()
    let connection = this.#connections.get(client)
    if (!connection) {
      connection = new PreparingConnection(client)
      this.#connections.set(client, connection)
    }
    return connection
  }

  override async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    try {
      await connection.executeQuery(rollback)
    } catch (error) {
      // The transaction may still be open, so the pool must not reuse this connection.
      ;(connection as PreparingConnection).isBroken = true
      throw error
    }
  }

  override async releaseConnection(connection: DatabaseConnection): Promise<void> {
    ;(connection as PreparingConnection).release()
  }
}

const rollback = CompiledQuery.raw('rollback')

const commandsWithAffectedRows = new Set(['INSERT', 'UPDATE', 'DELETE', 'MERGE'])

class PreparingConnection implements DatabaseConnection {
  isBroken = false
  readonly #client: pg.PoolClient

  constructor(client: pg.PoolClient) {
    this.#client = client
  }

  async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    const { command, rowCount, rows } = await this.#send(query)
    // Kysely's driver reads here whether a commit was in fact a rollback.
    if (command === 'COMMIT' || command === 'ROLLBACK') return { rows: [{ command } as Row] }
    return {
      ...(commandsWithAffectedRows.has(command) && { numAffectedRows: BigInt(rowCount ?? 0) }),
      // pg answers a text of several statements with a list of results; their rows are not returned.
      rows: rows ?? [],
    }
  }

  streamQuery(): never {
    throw new Error('The driver does not stream the rows of a query.')
  }

  release(): void {
    this.#client.release(this.isBroken)
  }

  #send(query: CompiledQuery): Promise<pg.QueryResult> {
    const name = statementNameOf(query)
    const values = query.parameters as unknown[]
    return name ? this.#client.query({ name, text: query.sql, values }) : this.#client.query(query.sql, values)
  }
}
