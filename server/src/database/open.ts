import { setTimeout as sleep } from 'node:timers/promises'
import { type ConnectedDatabase, connect } from './connect.ts'
import { type EmbeddedPostgres, startEmbeddedPostgres } from './embedded-postgres/start-embedded-postgres.ts'
import { isDatabaseUnavailable } from './errors.ts'

/** The settings of the service that say where its database is. */
export type DatabaseSettings = {
  /** Without it, the embedded PostgreSQL runs in the data directory. */
  databaseUrl: string | undefined
  databaseConnections: number
  dataDirectory: string
}

export type OpenOptions = {
  /** Told what the embedded server is doing. */
  report?: (phase: string) => void
  warn?: (message: string) => void
  /** Of the embedded server, beyond its own. */
  settings?: Record<string, string>
}

export type OpenedDatabase = ConnectedDatabase & {
  /** With which other processes of this machine reach it, too. */
  url: string
}

/** Connects to the configured database, or starts the embedded one. Closing ends what was started. */
export async function openDatabase(
  { databaseUrl, databaseConnections, dataDirectory }: DatabaseSettings,
  { report = () => {}, warn = () => {}, settings = {} }: OpenOptions = {},
): Promise<OpenedDatabase> {
  const pool = {
    size: databaseConnections,
    onIdleError: (error: Error) => warn(`database connection: ${error.message}`),
  }
  if (databaseUrl) {
    const database = connect({ connectionString: databaseUrl }, pool)
    await untilReachable(database, warn)
    return { ...database, url: databaseUrl }
  }
  const postgres = await startEmbeddedPostgres({ dataDirectory, settings, report, warn })
  const database = connect(postgres.connection, pool)
  return {
    ...database,
    url: socketUrl(postgres.connection),
    async close() {
      await database.close()
      await postgres.stop()
    },
  }
}

function socketUrl({ host, port, user, database }: EmbeddedPostgres['connection']): string {
  const [name, folder] = [user, host].map(encodeURIComponent)
  // PGSSLMODE is meant for servers on a network.
  return `postgres://${name}@${folder}:${port}/${database}?sslmode=disable`
}

const secondsToWait = 30

/** A database that is still starting, as after a power failure, is worth waiting for. */
async function untilReachable({ pool }: ConnectedDatabase, warn: (message: string) => void): Promise<void> {
  for (let second = 1; ; second++) {
    try {
      await pool.query('select 1')
      return
    } catch (error) {
      if (!isDatabaseUnavailable(error) || second === secondsToWait) throw error
      if (second === 1) warn(`The database is out of reach; waiting up to ${secondsToWait} s for it.`)
      await sleep(1000)
    }
  }
}
