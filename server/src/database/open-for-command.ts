import { type ConnectedDatabase, connect } from './connect.ts'
import { findRunningPostgres } from './embedded-postgres/find-running-postgres.ts'
import { type DatabaseSettings, type OpenOptions, openDatabase } from './open-database.ts'

/**
 * Opens the database for a command: that of the running service, or else the embedded one until it is closed. As the
 * owner, connects with the role that owns the tables, if the service has another one.
 */
export async function openDatabaseForCommand(
  settings: DatabaseSettings & { databaseOwnerUrl?: string | undefined },
  { asOwner = false, ...options }: OpenOptions & { asOwner?: boolean } = {},
): Promise<ConnectedDatabase> {
  if (asOwner && settings.databaseOwnerUrl) return connect({ connectionString: settings.databaseOwnerUrl }, { size: 2 })
  const running = settings.databaseUrl ? undefined : await findRunningPostgres(settings.dataDirectory)
  return running ? connect(running, { size: 2 }) : await openDatabase(settings, options)
}
