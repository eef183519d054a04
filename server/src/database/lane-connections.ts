import type { CompiledQuery, DatabaseConnection, QueryResult } from 'kysely'
import pg from 'pg'
import { beginWait, type ConnectionActivity, endWait, recordAnswer, recordFailedWait } from './connection-activity.ts'
import { isSilence } from './errors.ts'
import { statementNameOf } from './statement-names.ts'
import { beginStatement } from './traced-work.ts'

/**
 * A statement of pg. Its own deadline, if it has one, replaces that of the lane. With `isProbe`, it finds out whether the
 * connection works, so no other probe comes before it.
 */
export type Statement = pg.QueryConfig & { query_timeout?: number; isProbe?: boolean }

/** After this long without use, a connection must answer a probe before it is used again. */
const probeAfterMs = 2_000
const probe: Statement = { text: 'select 1', query_timeout: 500 }

/**
 * A plan of a prepared statement stays in use while its tables grow, until they are analysed. A plan for small tables is
 * slow on large ones, so no plan is kept for longer than this.
 */
const maxPlanAgeMs = 60_000
const discardPlans: Statement = { text: 'discard plans' }

const commandsWithAffectedRows = new Set(['INSERT', 'UPDATE', 'DELETE', 'MERGE'])

/** The connections of one lane. A connection that may be silent is never handed out. */
export class LaneConnections {
  readonly pool: pg.Pool
  readonly #activity: ConnectionActivity
  readonly #connections = new WeakMap<pg.PoolClient, LaneConnection>()
  readonly #awaited = new Set<LaneConnection>()
  #answeredAt = Number.NEGATIVE_INFINITY

  constructor(pool: pg.Pool, activity: ConnectionActivity) {
    this.pool = pool
    this.#activity = activity
  }

  async acquire(isForProbe = false): Promise<LaneConnection> {
    for (;;) {
      const connection = this.#connectionOf(await this.#connect())
      // Almost all connections were used a moment ago, and need no further step.
      if (connection.hasAnsweredLately()) return connection
      if (isForProbe ? !connection.isSuspect() : await connection.answers()) return connection
      connection.destroy()
    }
  }

  async #connect(): Promise<pg.PoolClient> {
    beginWait(this.#activity)
    try {
      return await this.pool.connect()
    } catch (error) {
      recordFailedWait(this.#activity, error)
      throw error
    } finally {
      endWait(this.#activity)
    }
  }

  /** Runs one statement without Kysely. */
  async query(statement: Statement): Promise<pg.QueryResult> {
    const connection = await this.acquire(statement.isProbe)
    try {
      return await connection.send(statement)
    } finally {
      connection.release()
    }
  }

  /** Whether the database has answered a statement of the lane within this time. */
  hasAnsweredWithin(milliseconds: number): boolean {
    return performance.now() - this.#answeredAt <= milliseconds
  }

  /** Connections that await an answer since before a connection of this process fell silent. */
  listSuspects(): { connection: LaneConnection; sentAt: number }[] {
    return [...this.#awaited].flatMap((connection) => {
      const { sentAt } = connection
      return sentAt !== undefined && sentAt < this.#activity.silenceAt ? [{ connection, sentAt }] : []
    })
  }

  #connectionOf(client: pg.PoolClient): LaneConnection {
    const known = this.#connections.get(client)
    if (known) return known
    const connection = new LaneConnection(client, this.#activity, this.#awaited, () => {
      this.#answeredAt = performance.now()
    })
    this.#connections.set(client, connection)
    return connection
  }
}

export class LaneConnection implements DatabaseConnection {
  isBroken = false
  /** When the statement was sent whose answer is awaited. */
  sentAt: number | undefined
  #answeredAt = performance.now()
  #plannedAt = performance.now()
  readonly #client: pg.PoolClient
  readonly #activity: ConnectionActivity
  readonly #awaited: Set<LaneConnection>
  readonly #onAnswer: () => void

  constructor(client: pg.PoolClient, activity: ConnectionActivity, awaited: Set<LaneConnection>, onAnswer: () => void) {
    this.#client = client
    this.#activity = activity
    this.#awaited = awaited
    this.#onAnswer = onAnswer
  }

  /** Whether another connection has fallen silent since the last answer of this one. */
  isSuspect(): boolean {
    return this.#answeredAt < this.#activity.silenceAt
  }

  /** Whether the connection worked a moment ago, and none has fallen silent since. */
  hasAnsweredLately(): boolean {
    return !this.isSuspect() && performance.now() - this.#answeredAt < probeAfterMs
  }

  /** Whether the connection answers a probe. A suspect is not asked. */
  async answers(): Promise<boolean> {
    if (this.isSuspect()) return false
    try {
      await this.#client.query(probe)
      this.#answeredAt = performance.now()
      return true
    } catch (error) {
      if (isSilence(error)) this.#activity.silenceAt = performance.now()
      return false
    }
  }

  async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    const name = statementNameOf(query)
    const statement = { text: query.sql, values: query.parameters as unknown[] }
    if (name && performance.now() - this.#plannedAt > maxPlanAgeMs) await this.#discardPlans()
    const { command, rowCount, rows } = await this.send(name ? { ...statement, name } : statement)
    // Kysely's driver reads here whether a commit was in fact a rollback.
    if (command === 'COMMIT' || command === 'ROLLBACK') return { rows: [{ command } as Row] }
    return {
      ...(commandsWithAffectedRows.has(command) && { numAffectedRows: BigInt(rowCount ?? 0) }),
      // pg answers a text of several statements with a list of results; their rows are not returned.
      rows: rows ?? [],
    }
  }

  async #discardPlans(): Promise<void> {
    await this.send(discardPlans)
    this.#plannedAt = performance.now()
  }

  streamQuery(): never {
    throw new Error('The driver does not stream the rows of a query.')
  }

  async send(statement: Statement): Promise<pg.QueryResult> {
    this.#activity.statementCount++
    this.sentAt = performance.now()
    this.#awaited.add(this)
    beginWait(this.#activity)
    const endSpan = beginStatement(statement.text, statement.name)
    try {
      const result = await this.#client.query(statement)
      this.#noteAnswer()
      endSpan?.(false)
      return result
    } catch (error) {
      endSpan?.(true)
      recordFailedWait(this.#activity, error)
      if (error instanceof pg.DatabaseError) this.#noteAnswer()
      if (isSilence(error)) {
        this.#activity.silenceAt = performance.now()
        this.#closeSocket()
      }
      throw error
    } finally {
      this.sentAt = undefined
      this.#awaited.delete(this)
      endWait(this.#activity)
    }
  }

  release(): void {
    this.#client.release(this.isBroken)
  }

  /** Removes the connection from the pool without a word to the server, which may be silent. */
  destroy(): void {
    this.#closeSocket()
    this.#client.release(true)
  }

  /** Stops waiting for the answer: the statement fails as if the connection had broken. */
  abandon(): void {
    this.#closeSocket()
  }

  #noteAnswer(): void {
    this.#answeredAt = performance.now()
    this.#onAnswer()
    recordAnswer(this.#activity)
  }

  /** A rollback would wait for the same silent server, so every further statement must fail at once. */
  #closeSocket(): void {
    this.isBroken = true
    destroySocket(this.#client)
  }
}

/** pg closes a connection politely, which never ends if the server is silent. Its types hide the socket. */
export function destroySocket(client: pg.ClientBase): void {
  const { connection } = client as unknown as { connection: { stream: { destroy(): void } } }
  connection.stream.destroy()
}
