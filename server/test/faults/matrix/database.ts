import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Client } from 'pg'

export type DatabaseAdministrator = ReturnType<typeof administerDatabase>

const applicationName = 'fault matrix'

/** A superuser of the database, past proxy and service: it looks at backends, locks rows and changes settings. */
export function administerDatabase(dataDirectory: string) {
  const socketFolder = join(dataDirectory, 'postgres/socket')
  let shared: Client | undefined

  async function connect(): Promise<Client> {
    const client = new Client({
      host: socketFolder,
      port: 5432,
      user: 'muster',
      database: 'muster',
      ssl: false,
      application_name: applicationName,
      connectionTimeoutMillis: 5_000,
    })
    client.on('error', () => {})
    await client.connect()
    return client
  }

  async function query<Row extends object>(text: string): Promise<Row[]> {
    shared ??= await connect()
    try {
      return (await shared.query<Row>(text)).rows
    } catch (error) {
      await disconnect()
      throw error
    }
  }

  /** Opens the connection in advance, because a stopped postmaster accepts none. An earlier fault may have ended it. */
  async function ensureConnected(): Promise<void> {
    await query('select 1').catch(() => query('select 1'))
  }

  async function disconnect(): Promise<void> {
    const client = shared
    shared = undefined
    await client?.end().catch(() => {})
  }

  return {
    socketPath: () => join(socketFolder, '.s.PGSQL.5432'),
    connect,
    query,
    ensureConnected,
    disconnect,
    /** The processes that serve connections of the service, those that were used last first. */
    async listBackends(): Promise<number[]> {
      const rows = await query<{ pid: number }>(
        `select pid from pg_stat_activity
         where backend_type = 'client backend' and application_name <> '${applicationName}'
         order by (state = 'idle') desc, state_change desc`,
      )
      return rows.map(({ pid }) => pid)
    },
    /** Not a number while PostgreSQL does not run. */
    postmasterPid(): number {
      try {
        return Number.parseInt(readFileSync(join(dataDirectory, 'postgres/cluster/postmaster.pid'), 'utf8'), 10)
      } catch {
        return Number.NaN
      }
    },
  }
}
