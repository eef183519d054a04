import type { Configuration } from '../platform/configuration.ts'
import { type ConnectedDatabase, connect } from './connect.ts'
import { findRunningPostgres } from './embedded-postgres/find-running-postgres.ts'
import { type OpenOptions, openDatabase } from './open.ts'

/** For commands: the database of the running service, or, when none runs, the embedded one until it is closed. */
export async function openBesideService(
  configuration: Configuration,
  options: OpenOptions = {},
): Promise<ConnectedDatabase> {
  const running = configuration.databaseUrl ? undefined : await findRunningPostgres(configuration.dataDirectory)
  return running ? connect(running, { size: 2 }) : await openDatabase(configuration, options)
}
