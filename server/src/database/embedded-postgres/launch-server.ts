import type { ChildProcess } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client, DatabaseError } from 'pg'
import { EmbeddedPostgresError } from './embedded-postgres-error.ts'
import type { ServerLog } from './server-log.ts'
import { type ServerUser, spawnAs } from './server-user.ts'
import { settlesWithin } from './settles-within.ts'

export type SocketConnection = { host: string; port: number; user: string; database: string }

export type RunningServer = {
  /** Resolves to the reason when the process has ended. */
  ended: Promise<string>
  /** Ends the server and all its processes within about the given time. */
  stop(graceMs?: number): Promise<void>
}

export type Launch = {
  user: ServerUser
  postgres: string
  args: string[]
  log: ServerLog
  connection: SocketConnection
  /** Ends all processes of the server at once. */
  killProcesses(): Promise<void>
}

const pollIntervalMs = 20
const responseTimeoutMs = 60_000
const cannotConnectNow = '57P03'

/** Starts PostgreSQL and waits until it accepts connections. An abort stops it and throws. */
export async function launchServer(launch: Launch, abort: AbortSignal): Promise<RunningServer> {
  const readNewLines = await launch.log.mark()
  const child = spawnAs(launch.user, launch.postgres, launch.args, ['ignore', launch.log.fd, launch.log.fd])
  const server = superviseProcess(child, launch.killProcesses)
  try {
    await waitUntilReady(launch.connection, server.ended, abort)
    return server
  } catch (error) {
    await server.stop()
    abort.throwIfAborted()
    const reason = error instanceof Error ? error.message : String(error)
    throw new EmbeddedPostgresError('start-failed', `PostgreSQL did not start (${reason}):\n${await readNewLines()}`)
  }
}

function superviseProcess(child: ChildProcess, killProcesses: () => Promise<void>): RunningServer {
  // On systems without a parent death signal, this stops the server unless Muster itself is killed.
  const stopChild = () => child.kill('SIGINT')
  process.once('exit', stopChild)
  const ended = new Promise<string>((resolve) => {
    child.once('exit', (code, signal) => resolve(signal ?? `exit code ${code}`))
    child.once('error', (error) => resolve(error.message))
  }).finally(() => process.off('exit', stopChild))
  return { ended, stop: (graceMs) => stopServer(child, ended, killProcesses, graceMs) }
}

const defaultGraceMs = 30_000

/**
 * Requests a fast shutdown, which rolls back open transactions and leaves nothing to recover. A server that does not end
 * in time is killed: it recovers at its next start.
 */
async function stopServer(
  child: ChildProcess,
  ended: Promise<string>,
  killProcesses: () => Promise<void>,
  graceMs = defaultGraceMs,
): Promise<void> {
  child.kill('SIGINT')
  if (await settlesWithin(ended, graceMs)) return
  child.kill('SIGKILL')
  // A process that is suspended does not notice that its postmaster has gone.
  await killProcesses()
  await ended
}

async function waitUntilReady(connection: SocketConnection, ended: Promise<string>, abort: AbortSignal): Promise<void> {
  let end: string | undefined
  void ended.then((reason) => {
    end = reason
  })
  let deadline = Date.now() + responseTimeoutMs
  for (;;) {
    const failure = await tryConnection(connection)
    if (failure === undefined) return
    abort.throwIfAborted()
    if (end !== undefined) throw new Error(end)
    // Recovery may take any time, as long as the server answers that it is starting up.
    if (failure instanceof DatabaseError && failure.code === cannotConnectNow) deadline = Date.now() + responseTimeoutMs
    if (Date.now() > deadline) throw failure
    await sleep(pollIntervalMs)
  }
}

async function tryConnection(connection: SocketConnection): Promise<unknown> {
  const client = createClient(connection)
  try {
    await client.connect()
    await client.query('select 1')
    return undefined
  } catch (error) {
    return error
  } finally {
    await client.end().catch(() => undefined)
  }
}

/** A client for the database that initdb creates, because Muster's own may not exist yet. */
export function createClient(connection: SocketConnection): Client {
  const client = new Client({
    ...connection,
    database: 'postgres',
    // Set explicitly, because the client would otherwise read PGSSLMODE.
    ssl: false,
    connectionTimeoutMillis: 10_000,
  })
  // Without a listener, the end of an idle connection would end this process.
  client.on('error', () => undefined)
  return client
}
