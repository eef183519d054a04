import type { ChildProcess } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client, DatabaseError } from 'pg'
import { EmbeddedPostgresError } from './embedded-postgres-error.ts'
import type { ServerLog } from './server-log.ts'
import { type ServerUser, spawnAs } from './server-user.ts'

export type Connection = { host: string; port: number; user: string; database: string }

export type RunningServer = {
  /** Settles with the reason when the process has ended, for whatever cause. */
  ended: Promise<string>
  stop(): Promise<void>
}

export type Launch = {
  user: ServerUser
  postgres: string
  args: string[]
  log: ServerLog
  connection: Connection
}

const pollEvery = 20
const silenceLimit = 60_000
const cannotConnectNow = '57P03'

/** Starts PostgreSQL and waits until it answers. An abort stops it again and throws. */
export async function launchServer(launch: Launch, abort: AbortSignal): Promise<RunningServer> {
  const logged = await launch.log.mark()
  const child = spawnAs(launch.user, launch.postgres, launch.args, ['ignore', launch.log.fd, launch.log.fd])
  const server = watch(child)
  try {
    await untilReady(launch.connection, server.ended, abort)
    return server
  } catch (error) {
    await server.stop()
    abort.throwIfAborted()
    const reason = error instanceof Error ? error.message : String(error)
    throw new EmbeddedPostgresError('start-failed', `PostgreSQL did not start (${reason}):\n${await logged()}`)
  }
}

function watch(child: ChildProcess): RunningServer {
  // Where there is no parent death signal, this still covers every end of ours but a kill.
  const endWithUs = () => child.kill('SIGINT')
  process.once('exit', endWithUs)
  const ended = new Promise<string>((resolve) => {
    child.once('exit', (code, signal) => resolve(signal ?? `exit code ${code}`))
    child.once('error', (error) => resolve(error.message))
  }).finally(() => process.off('exit', endWithUs))
  return { ended, stop: () => stopServer(child, ended) }
}

/** Fast shutdown: open transactions are rolled back, nothing is left to recover. */
async function stopServer(child: ChildProcess, ended: Promise<string>): Promise<void> {
  const steps: [NodeJS.Signals, number][] = [
    ['SIGINT', 30_000],
    ['SIGQUIT', 10_000],
    ['SIGKILL', 10_000],
  ]
  for (const [signal, limit] of steps) {
    child.kill(signal)
    if (await endsWithin(ended, limit)) return
  }
}

async function endsWithin(ended: Promise<string>, milliseconds: number): Promise<boolean> {
  const timer = new AbortController()
  const late = sleep(milliseconds, false, { signal: timer.signal }).catch(() => false)
  const inTime = await Promise.race([ended.then(() => true), late])
  timer.abort()
  return inTime
}

async function untilReady(connection: Connection, ended: Promise<string>, abort: AbortSignal): Promise<void> {
  let end: string | undefined
  void ended.then((reason) => {
    end = reason
  })
  let deadline = Date.now() + silenceLimit
  for (;;) {
    const failure = await tryConnection(connection)
    if (failure === undefined) return
    abort.throwIfAborted()
    if (end !== undefined) throw new Error(end)
    // Recovery may take as long as it needs, as long as the server says that it is at work.
    if (failure instanceof DatabaseError && failure.code === cannotConnectNow) deadline = Date.now() + silenceLimit
    if (Date.now() > deadline) throw failure
    await sleep(pollEvery)
  }
}

async function tryConnection(connection: Connection): Promise<unknown> {
  const client = connectOnce(connection)
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

/** Connects to the database that initdb makes, because our own may not exist yet. */
export function connectOnce(connection: Connection): Client {
  const client = new Client({
    ...connection,
    database: 'postgres',
    // Explicitly, because the client also listens to PGSSLMODE.
    ssl: false,
    connectionTimeoutMillis: 10_000,
  })
  // A server that dies while the connection is idle must not end this process.
  client.on('error', () => undefined)
  return client
}
