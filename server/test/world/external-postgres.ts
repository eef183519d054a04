import { onTestFinished } from 'vitest'
import { startEmbeddedPostgres } from '../../src/database/embedded-postgres/start-embedded-postgres.ts'
import { installedFolder } from './service-process.ts'

/** Starts a PostgreSQL beside the service on the database of an installation so that the service has nothing to migrate. */
export async function startExternalPostgres(installation?: string) {
  const dataDirectory = installation ?? (await installedFolder())
  const { connection, stop } = await startEmbeddedPostgres({ dataDirectory })
  // Stopping twice does no harm.
  onTestFinished(() => stop())
  const { host, user, database } = connection
  return { connection, url: `postgres://${user}@/${database}?host=${encodeURIComponent(host)}`, stop }
}
