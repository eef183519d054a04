import { randomBytes } from 'node:crypto'
import { Kysely } from 'kysely'
import pg from 'pg'
import { cancelStatements } from './cancel-statements.ts'
import { type ConnectionActivity, millisecondsWithoutAnswer, newConnectionActivity } from './connection-activity.ts'
import { settlesWithin } from './embedded-postgres/settles-within.ts'
import { destroySocket, LaneConnections, type Statement } from './lane-connections.ts'
import {
  defaultConnections,
  type LaneLimits,
  type LaneName,
  laneLimits,
  laneNames,
  laneSizes,
  silentTransactionSeconds,
} from './lanes.ts'
import { watchLostStatements } from './lost-statements.ts'
import { LaneDialect } from './postgres-driver.ts'
import type { DB } from './tables.ts'

/** The database handle of an operation: the pool for reads, the open transaction for everything else. */
export type Database = Kysely<DB>

export type Connection = { connectionString: string } | { host: string; port: number; user: string; database: string }

/** A part of the connections. It is opened with its first statement. */
export type Lane = {
  db: Database
  pool: pg.Pool
  /** Runs one statement without Kysely. */
  query(statement: Statement): Promise<pg.QueryResult>
  connections: LaneConnections
}

/** A lane of its own for commands and for the start of the service. Requests and background tasks use the others. */
export type ConnectedDatabase = Lane & {
  lanes: Record<LaneName, Lane>
  /** The number of statements sent so far, including those that begin and end transactions. */
  statementCount(): number
  /** For how long statements or connections have been awaited without a single answer. */
  millisecondsWithoutAnswer(): number
  /** Makes the database end the statements of this process so that nothing waits for them. */
  cancelStatements(): Promise<void>
  close(): Promise<void>
}

// The bigint columns are counts and positions, which stay far below 2^53.
pg.types.setTypeParser(pg.types.builtins.INT8, Number)

export type PoolOptions = { size?: number; onIdleError?: (error: Error) => void }

/** Statements that are still running then are abandoned. */
const closingTimeoutMs = 1_000
const destroyingTimeoutMs = 200

export function connect(
  connection: Connection,
  { size = defaultConnections, onIdleError = () => {} }: PoolOptions = {},
): ConnectedDatabase {
  const activity = newConnectionActivity()
  const processName = randomBytes(4).toString('hex')
  const openClients = new Set<pg.ClientBase>()
  let isClosing = false
  const applicationName = (lane: string) => `muster ${lane} ${processName}`
  const open = (name: string, max: number, limits: Partial<LaneLimits>): Lane =>
    openLane({
      options: { ...poolOptions(connection, limits), max, application_name: applicationName(name) },
      activity,
      openClients,
      // The pool does not wait until its connections are closed, so the server may close them first.
      onIdleError: (error) => {
        if (!isClosing) onIdleError(error)
      },
    })
  const sizes = laneSizes(size)
  const lanes = Object.fromEntries(
    laneNames.map((name) => [name, open(name, sizes[name], laneLimits[name])]),
  ) as ConnectedDatabase['lanes']
  const watched = laneNames.map((name) => ({
    applicationName: applicationName(name),
    connections: lanes[name].connections,
  }))
  // The lane of the question needs no help: its deadline is short.
  const lostStatements = watchLostStatements(watched, (statement) => lanes.signIn.query(statement))
  const general = open('general', size, { statementSeconds: 60, mayPause: true })
  return {
    ...general,
    lanes,
    statementCount: () => activity.statementCount,
    millisecondsWithoutAnswer: () => millisecondsWithoutAnswer(activity),
    cancelStatements: () => cancelStatements(general.pool.options, processName),
    async close() {
      isClosing = true
      lostStatements.stop()
      const closed = Promise.all([general, ...Object.values(lanes)].map(closeLane))
      if (await settlesWithin(closed, closingTimeoutMs)) return
      for (const client of openClients) destroySocket(client)
      // Connections that are still being opened end by themselves.
      await settlesWithin(closed, destroyingTimeoutMs)
    },
  }
}

const serverOptions = {
  // Compiling the statement that hands out work takes seconds, running it a few milliseconds.
  jit: 'off',
  // A network that drops packets in silence, and a process of Muster that was killed, are noticed by the server as well.
  tcp_user_timeout: '10s',
  tcp_keepalives_idle: '10s',
  tcp_keepalives_interval: '5s',
  tcp_keepalives_count: '3',
  client_connection_check_interval: '2s',
}

const formatOptions = (options: Readonly<Record<string, string>>) =>
  Object.entries(options)
    .map(([name, value]) => `-c ${name}=${value}`)
    .join(' ')

function poolOptions(connection: Connection, limits: Partial<LaneLimits>): pg.PoolConfig {
  const { deadlineSeconds, statementSeconds, lockMilliseconds, mayPause, planner } = limits
  const { usual, withPauses } = silentTransactionSeconds
  return {
    ...connection,
    // PGSSLMODE is meant for servers on a network. The embedded server has no TLS on its socket.
    ...('host' in connection && { ssl: false }),
    connectionTimeoutMillis: 5_000,
    idleTimeoutMillis: 60_000,
    ...(deadlineSeconds && { query_timeout: deadlineSeconds * 1_000 }),
    ...(statementSeconds && { statement_timeout: statementSeconds * 1_000 }),
    ...(lockMilliseconds && { lock_timeout: lockMilliseconds }),
    idle_in_transaction_session_timeout: (mayPause ? withPauses : usual) * 1_000,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    options: formatOptions({ ...serverOptions, ...planner }),
  }
}

type LaneParts = {
  options: pg.PoolConfig
  activity: ConnectionActivity
  openClients: Set<pg.ClientBase>
  onIdleError: (error: Error) => void
}

/** Gives a new connection less time than a request may wait for a free one: a place in the pool must not stay blocked. */
class LaneClient extends pg.Client {
  constructor(options?: pg.ClientConfig) {
    super({ ...options, connectionTimeoutMillis: 2_500 })
  }
}

function openLane({ options, activity, openClients, onIdleError }: LaneParts): Lane {
  const pool = new pg.Pool({ ...options, Client: LaneClient })
  // Without a listener, Node would end the process. The pool replaces a connection that breaks while it is idle.
  pool.on('error', onIdleError)
  // When a connection breaks while it is in use, its current or next statement fails.
  pool.on('connect', (client) => {
    client.on('error', () => {})
    openClients.add(client)
  })
  pool.on('remove', (client) => openClients.delete(client))
  const connections = new LaneConnections(pool, activity)
  const db = new Kysely<DB>({ dialect: new LaneDialect(connections) })
  return { db, pool, connections, query: (statement) => connections.query(statement) }
}

async function closeLane({ db, pool }: Lane): Promise<void> {
  await db.destroy()
  // Kysely ends the pool only if it was used through Kysely.
  if (!pool.ending) await pool.end()
}
