import { chmodSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { EmbeddedPostgresError } from './embedded-postgres-error.ts'

const sqliteBusy = 5

/**
 * Locks the home for one Muster process. SQLite's exclusive lock is a kernel lock on the file: it is atomic, ends with
 * the process however it dies, works on Linux and macOS, and is visible to a container that shares the volume.
 */
export function lockHome(home: string, dataDirectory: string): { release(): void } {
  const path = join(home, 'lock')
  let database: DatabaseSync | undefined
  try {
    database = new DatabaseSync(path, { timeout: 0 })
    // Any user who can read the file could also lock it.
    chmodSync(path, 0o600)
    database.exec('pragma journal_mode = memory; begin exclusive')
    const lock = database
    return { release: () => lock.close() }
  } catch (error) {
    database?.close()
    if (error instanceof Error && 'errcode' in error && error.errcode === sqliteBusy) {
      throw new EmbeddedPostgresError(
        'data-directory-in-use',
        `Another Muster already uses the data directory ${dataDirectory}. ` +
          'Stop it first, or set another MUSTER_DATA_DIR.',
      )
    }
    const reason = error instanceof Error ? error.message : String(error)
    throw new EmbeddedPostgresError('data-directory-unusable', `Cannot lock ${path}: ${reason}.`)
  }
}
