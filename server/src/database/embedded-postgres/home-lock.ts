import { chmodSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { EmbeddedPostgresError } from './embedded-postgres-error.ts'
import { requireNoFolder, unusablePathError } from './unusable-paths.ts'

const sqliteBusy = 5
const sqliteNotADatabase = 26

/**
 * Locks the home for one Muster process. SQLite's exclusive lock is a kernel lock on the file: it is atomic, ends with
 * the process however it dies, works on Linux and macOS, and is visible to a container that shares the volume.
 */
export async function lockHome(home: string, dataDirectory: string): Promise<{ release(): void }> {
  const path = join(home, 'lock')
  await requireNoFolder(path)
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
    const { errcode, message } = error as Error & { errcode?: number }
    if (errcode === sqliteBusy) {
      throw new EmbeddedPostgresError(
        'data-directory-in-use',
        `Another Muster already uses the data directory ${dataDirectory}. ` +
          'Stop it first, or set another MUSTER_DATA_DIR.',
      )
    }
    if (errcode === sqliteNotADatabase) throw unusablePathError(path, 'is not the lock file of Muster')
    throw new EmbeddedPostgresError(
      'data-directory-unusable',
      `Cannot lock ${path}: ${message}. Check that Muster may read and write the file.`,
    )
  }
}
