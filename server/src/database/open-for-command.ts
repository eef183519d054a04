import { type ConnectedDatabase, connect } from './connect.ts'
import { findRunningPostgres } from './embedded-postgres/find-running-postgres.ts'
import { type DatabaseSettings, type OpenOptions, openDatabase } from './open-database.ts'

/** Opens the database for a command: that of the running service, or else the embedded one until it is closed. */
export async function openDatabaseForCommand(
  settings: DatabaseSettings,
  options: OpenOptions = {},
): Promise<ConnectedDatabase> {
  const running = settings.databaseUrl ? undefined : await findRunningPostgres(settings.dataDirectory)
  return running ? connect(running, { size: 2 }) : await openDatabase(settings, options)
}
