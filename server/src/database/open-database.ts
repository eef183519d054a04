import { setTimeout as sleep } from 'node:timers/promises'
import { type ConnectedDatabase, connect } from './connect.ts'
import { type EmbeddedPostgres, startEmbeddedPostgres } from './embedded-postgres/start-embedded-postgres.ts'
import { isDatabaseUnavailable } from './errors.ts'

/** The settings that define the database of the service. */
export type DatabaseSettings = {
  /** If undefined, the embedded PostgreSQL runs in the data directory. */
  databaseUrl: string | undefined
  databaseConnections: number
  dataDirectory: string
}

export type OpenOptions = {
  /** Receives the steps of starting the embedded server. */
  report?: (phase: string) => void
  warn?: (message: string) => void
  /** Additional PostgreSQL settings of the embedded server. */
  settings?: Record<string, string>
}

export type OpenedDatabase = Omit<ConnectedDatabase, 'close'> & {
  /** Begins, beside requests that end, what takes most of the time in which the embedded server stops. */
  prepareToClose(): void
  /** Closes the connections and stops the embedded server within about the given time. */
  close(withinMs?: number): Promise<void>
  /** The URL with which other processes of this machine connect to the same database. */
  url: string
}

/** A server without open transactions stops sooner. */
const minServerStopMs = 500

/** Connects to the configured database or starts the embedded one. Closing also stops the embedded one. */
export async function openDatabase(
  { databaseUrl, databaseConnections, dataDirectory }: DatabaseSettings,
  { report = () => {}, warn = () => {}, settings = {} }: OpenOptions = {},
): Promise<OpenedDatabase> {
  const pool = {
    size: databaseConnections,
    onIdleError: (error: Error) => warn(`A database connection broke: ${error.message}`),
  }
  if (databaseUrl) {
    const database = connect({ connectionString: databaseUrl }, pool)
    await waitUntilReachable(database, warn)
    return { ...database, url: databaseUrl, prepareToClose: () => undefined }
  }
  const postgres = await startEmbeddedPostgres({ dataDirectory, settings, report, warn })
  const database = connect(postgres.connection, pool)
  return {
    ...database,
    url: socketUrl(postgres.connection),
    prepareToClose() {
      // The stop of the server does the same, and reports what is wrong.
      postgres.checkpoint().catch(() => undefined)
    },
    async close(withinMs) {
      const began = performance.now()
      await database.close()
      // Silent connections take more than a second to close. The server has that much less time to stop.
      const left = withinMs && Math.max(minServerStopMs, withinMs - (performance.now() - began))
      await postgres.stop(left)
    },
  }
}

function socketUrl({ host, port, user, database }: EmbeddedPostgres['connection']): string {
  const [name, folder] = [user, host].map(encodeURIComponent)
  // PGSSLMODE is meant for servers on a network.
  return `postgres://${name}@${folder}:${port}/${database}?sslmode=disable`
}

const maxWaitSeconds = 30

/** Waits for a database that is still starting, for example after a power failure. */
async function waitUntilReachable({ pool }: ConnectedDatabase, warn: (message: string) => void): Promise<void> {
  for (let second = 1; ; second++) {
    try {
      await pool.query('select 1')
      return
    } catch (error) {
      if (!isDatabaseUnavailable(error) || second === maxWaitSeconds) throw error
      if (second === 1) warn(`The database is unavailable. Waiting up to ${maxWaitSeconds} s for it.`)
      await sleep(1000)
    }
  }
}
