import { formatTraceparent } from '@muster/http/trace-context'
import {
  CompiledQuery,
  type DatabaseConnection,
  PostgresDialect,
  PostgresDriver,
  type TransactionSettings,
} from 'kysely'
import type { LaneConnection, LaneConnections } from './lane-connections.ts'
import { currentWork } from './traced-work.ts'

/** Kysely's PostgreSQL dialect on the connections of a lane. */
export class LaneDialect extends PostgresDialect {
  readonly #connections: LaneConnections

  constructor(connections: LaneConnections) {
    super({ pool: connections.pool })
    this.#connections = connections
  }

  override createDriver(): PostgresDriver {
    return new LaneDriver(this.#connections)
  }
}

/** Replaces the connections of Kysely's driver, and therefore also the methods that use their internals. */
class LaneDriver extends PostgresDriver {
  readonly #connections: LaneConnections

  constructor(connections: LaneConnections) {
    super({ pool: connections.pool })
    this.#connections = connections
  }

  override acquireConnection(): Promise<DatabaseConnection> {
    return this.#connections.acquire()
  }

  /**
   * The transaction knows which trace it belongs to: events, tasks and jobs store it. In one message with its beginning, so it
   * costs no round trip.
   */
  override async beginTransaction(connection: DatabaseConnection, settings: TransactionSettings): Promise<void> {
    const { trace, isStored = true } = currentWork() ?? {}
    if (!trace || !isStored || settings.isolationLevel || settings.accessMode)
      return super.beginTransaction(connection, settings)
    const traceparent = formatTraceparent(trace)
    await connection.executeQuery(CompiledQuery.raw(`begin; set local muster.traceparent = '${traceparent}'`))
  }

  override async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    try {
      await connection.executeQuery(rollback)
    } catch (error) {
      // The transaction may still be open, so the pool must not reuse this connection.
      ;(connection as LaneConnection).isBroken = true
      throw error
    }
  }

  override async releaseConnection(connection: DatabaseConnection): Promise<void> {
    ;(connection as LaneConnection).release()
  }
}

const rollback = CompiledQuery.raw('rollback')
