import { databaseRole, writeAuthenticationRules } from './authentication-rules.ts'
import { changeClusterOwner, hasOtherOwner } from './cluster-owner.ts'
import { type DatabaseHome, openDatabaseHome } from './database-home.ts'
import { lockHome } from './home-lock.ts'
import { initialiseCluster } from './initialise-cluster.ts'
import { keepServerRunning } from './keep-server-running.ts'
import { createClient, type Launch, launchServer, type RunningServer, type SocketConnection } from './launch-server.ts'
import { killClusterProcesses, stopOrphanedServer } from './orphaned-server.ts'
import { findBinaries } from './postgres-binaries.ts'
import { openServerLog } from './server-log.ts'
import { serverArguments } from './server-settings.ts'
import { createSocketDirectory, socketPort } from './socket-directory.ts'

export type EmbeddedPostgres = {
  /** The settings for a pg client: folder of the Unix socket, user and database. */
  connection: SocketConnection
  /** Writes what is only in memory and in the log, as the stop would. A stop soon afterwards has less to write. */
  checkpoint(): Promise<void>
  /** Ends all its processes, within about the given time. */
  stop(graceMs?: number): Promise<void>
}

type Options = {
  dataDirectory: string
  settings?: Record<string, string>
  report?: (phase: string) => void
  warn?: (message: string) => void
}

/**
 * Runs a private PostgreSQL in the data directory until `stop`, and restarts it whenever it dies.
 * Throws an EmbeddedPostgresError if the operator has to act.
 */
export async function startEmbeddedPostgres(options: Options): Promise<EmbeddedPostgres> {
  const { dataDirectory, settings = {}, report = () => undefined, warn = () => undefined } = options
  const home = await openDatabaseHome(dataDirectory, warn)
  const cleanups: (() => unknown)[] = []
  const cleanUp = async () => {
    for (const cleanup of cleanups.reverse()) await cleanup()
  }
  try {
    cleanups.push((await lockHome(home.directory, dataDirectory)).release)
    const launch = await prepare(home, settings, report, cleanups)
    const abort = new AbortController()
    const relaunch = async (reportPhase: (phase: string) => void): Promise<RunningServer> => {
      if (await stopOrphanedServer(home, reportPhase)) reportPhase('recovered after a crash')
      return await launchServer(launch, abort.signal)
    }
    const server = await relaunch(report)
    cleanups.push(() => server.stop())
    await createDatabase(launch.connection, report)
    const supervision = keepServerRunning({
      server,
      relaunch: () => relaunch(() => undefined),
      abort: abort.signal,
      graceMs: () => grace,
      warn,
    })
    let grace: number | undefined
    const stop = async () => {
      abort.abort()
      await supervision
      await cleanUp()
    }
    let stopped: Promise<void> | undefined
    return {
      connection: launch.connection,
      checkpoint: () => writeCheckpoint(launch.connection),
      stop: (graceMs) => {
        grace = graceMs
        stopped ??= stop()
        return stopped
      },
    }
  } catch (error) {
    await cleanUp()
    throw error
  }
}

async function prepare(
  home: DatabaseHome,
  settings: Record<string, string>,
  report: (phase: string) => void,
  cleanups: (() => unknown)[],
): Promise<Launch> {
  const binaries = await findBinaries(home, report)
  await initialiseCluster(home, binaries, report)
  if (await hasOtherOwner(home)) {
    await stopOrphanedServer(home, report)
    await changeClusterOwner(home)
    report('changed the owner of the database')
  }
  const rules = await writeAuthenticationRules(home)
  const log = await openServerLog(home.directory)
  cleanups.push(log.close)
  const socket = await createSocketDirectory(home)
  cleanups.push(socket.remove)
  return {
    user: home.user,
    postgres: binaries.postgres,
    args: serverArguments(home, socket.path, rules, settings),
    killProcesses: () => killClusterProcesses(home),
    log,
    connection: { host: socket.path, port: socketPort, user: databaseRole, database: 'muster' },
  }
}

/** On a connection of its own: it may take seconds. The stop of the server ends it, and then continues what it has begun. */
async function writeCheckpoint(connection: SocketConnection): Promise<void> {
  const client = createClient(connection)
  try {
    await client.connect()
    await client.query('checkpoint')
  } finally {
    await client.end().catch(() => undefined)
  }
}

async function createDatabase(connection: SocketConnection, report: (phase: string) => void): Promise<void> {
  const client = createClient(connection)
  await client.connect()
  try {
    const existing = await client.query('select 1 from pg_database where datname = $1', [connection.database])
    if (existing.rowCount !== 0) return
    report('created the database')
    await client.query(`create database ${client.escapeIdentifier(connection.database)}`)
  } finally {
    await client.end()
  }
}
