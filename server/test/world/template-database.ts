import { randomBytes } from 'node:crypto'
import { appendFile, rm } from 'node:fs/promises'
import type pg from 'pg'
import type { TestProject } from 'vitest/node'
import { type Connection, connect } from '../../src/database/connect.ts'
import { startEmbeddedPostgres } from '../../src/database/embedded-postgres/start-embedded-postgres.ts'
import { migrate } from '../../src/database/migrations/migrate.ts'
import { openFolderInMemory } from './temporary-folder.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** The server on which test databases are created. */
    postgres: Connection
    /** The name of the migrated database that tests copy. */
    template: string
  }
}

/** Creates one migrated database for all projects of the run. Every test file uses a copy of it. */
export async function setup({ vitest }: TestProject): Promise<(() => Promise<void>) | undefined> {
  const run = vitest.getRootProject()
  if (run.getProvidedContext().template) return undefined
  const server = await startTestServer()
  const template = `muster_template_${randomBytes(4).toString('hex')}`
  const maintenance = connect(server.connection)
  await maintenance.pool.query(`create database ${template}`)
  const migrated = connect(onDatabase(server.connection, template))
  await migrate(migrated.pool)
  await migrated.close()
  run.provide('postgres', server.connection)
  run.provide('template', template)
  return async () => {
    for (const name of [template, demoTemplateOf(template)])
      await maintenance.pool.query(`drop database if exists ${name}`)
    await dropReusedDatabases(maintenance.pool)
    await maintenance.close()
    await server.stop()
  }
}

/** The prefix of the names of databases that a worker has used for many test files. */
export const reusedPrefix = 'muster_reused'

async function dropReusedDatabases(pool: pg.Pool): Promise<void> {
  const { rows } = await pool.query<{ name: string }>(
    `select datname as name from pg_database where starts_with(datname, '${reusedPrefix}')`,
  )
  for (const { name } of rows) await pool.query(`drop database ${name} with (force)`)
}

/** The name of the database with the data set of the demo, which is created when a test needs it. */
export const demoTemplateOf = (template: string) => `${template}_demo`

/** The connection to another database on the same server. */
export function onDatabase(connection: Connection, database: string): Connection {
  if (!('connectionString' in connection)) return { ...connection, database }
  const url = new URL(connection.connectionString)
  url.pathname = `/${database}`
  return { connectionString: url.href }
}

async function startTestServer(): Promise<{ connection: Connection; stop(): Promise<void> }> {
  const url = process.env.MUSTER_TEST_DATABASE_URL
  if (url) return { connection: { connectionString: url }, stop: async () => {} }
  const dataDirectory = await openFolderInMemory()
  // Test data does not have to survive a power failure.
  const durability = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' }
  // Starting processes to read all tables at once, which takes `fingerprints` milliseconds, was a quarter of the processor time.
  const settings = { ...durability, max_parallel_workers_per_gather: '0', max_connections: '300' }
  const postgres = await startEmbeddedPostgres({ dataDirectory, settings })
  await admitAllRoles(postgres.connection)
  return {
    connection: postgres.connection,
    async stop() {
      await postgres.stop()
      await rm(dataDirectory, { recursive: true })
    },
  }
}

/** Some tests connect as roles that they have created. A server of the service admits its own role only. */
async function admitAllRoles(connection: Connection): Promise<void> {
  const { pool, close } = connect(connection)
  const { rows } = await pool.query<{ hba_file: string }>('show hba_file')
  await appendFile(rows[0]?.hba_file ?? '', 'local all all trust\n')
  await pool.query('select pg_reload_conf()')
  await close()
}
