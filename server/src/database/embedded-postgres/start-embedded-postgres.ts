import { clearCluster } from './cluster-processes.ts'
import { type DatabaseHome, openDatabaseHome } from './database-home.ts'
import { lockHome } from './home-lock.ts'
import { initialiseCluster } from './initialise-cluster.ts'
import { keepServerRunning } from './keep-server-running.ts'
import { type Connection, connectOnce, type Launch, launchServer, type RunningServer } from './launch-server.ts'
import { findBinaries } from './postgres-binaries.ts'
import { openServerLog } from './server-log.ts'
import { serverArguments } from './server-settings.ts'
import { makeSocketDirectory, socketPort } from './socket-directory.ts'

export type EmbeddedPostgres = {
  /** What a pg client needs: unix socket folder, user, database. */
  connection: Connection
  stop(): Promise<void>
}

type Options = {
  dataDirectory: string
  settings?: Record<string, string>
  report?: (phase: string) => void
  warn?: (message: string) => void
}

/**
 * Runs a private PostgreSQL on the data directory until `stop`, and starts it again whenever it dies.
 * Throws an EmbeddedPostgresError when the operator has to do something.
 */
export async function startEmbeddedPostgres(options: Options): Promise<EmbeddedPostgres> {
  const { dataDirectory, settings = {}, report = () => undefined, warn = () => undefined } = options
  const home = await openDatabaseHome(dataDirectory, warn)
  const cleanups: (() => unknown)[] = []
  const cleanUp = async () => {
    for (const cleanup of cleanups.reverse()) await cleanup()
  }
  try {
    cleanups.push(lockHome(home.directory, dataDirectory).release)
    const launch = await prepare(home, settings, report, cleanups)
    const abort = new AbortController()
    const relaunch = async (tell: (phase: string) => void): Promise<RunningServer> => {
      if (await clearCluster(home, tell)) tell('recover after a crash')
      return await launchServer(launch, abort.signal)
    }
    const server = await relaunch(report)
    cleanups.push(server.stop)
    await makeDatabase(launch.connection, report)
    const keeping = keepServerRunning({ server, relaunch: () => relaunch(() => undefined), abort: abort.signal, warn })
    const stop = async () => {
      abort.abort()
      await keeping
      await cleanUp()
    }
    let stopped: Promise<void> | undefined
    return {
      connection: launch.connection,
      stop: () => {
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
  const log = await openServerLog(home.directory)
  cleanups.push(log.close)
  const socket = await makeSocketDirectory(home)
  cleanups.push(socket.remove)
  return {
    user: home.user,
    postgres: binaries.postgres,
    args: serverArguments(home, socket.path, settings),
    log,
    connection: { host: socket.path, port: socketPort, user: 'muster', database: 'muster' },
  }
}

async function makeDatabase(connection: Connection, report: (phase: string) => void): Promise<void> {
  const client = connectOnce(connection)
  await client.connect()
  try {
    const found = await client.query('select 1 from pg_database where datname = $1', [connection.database])
    if (found.rowCount !== 0) return
    report('create the database')
    await client.query(`create database ${client.escapeIdentifier(connection.database)}`)
  } finally {
    await client.end()
  }
}
