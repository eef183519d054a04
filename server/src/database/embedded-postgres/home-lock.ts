import { chmodSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { EmbeddedPostgresError } from './embedded-postgres-error.ts'

const sqliteBusy = 5

/**
 * One Muster per home. SQLite's exclusive lock is a lock of the kernel on the file: atomic, gone with the process
 * however it dies, the same on Linux and macOS, and also seen by a container that shares the volume.
 */
export function lockHome(home: string, dataDirectory: string): { release(): void } {
  const path = join(home, 'lock')
  let database: DatabaseSync | undefined
  try {
    database = new DatabaseSync(path, { timeout: 0 })
    // Whoever may read the file could lock it too, and keep us out.
    chmodSync(path, 0o600)
    database.exec('pragma journal_mode = memory; begin exclusive')
    const held = database
    return { release: () => held.close() }
  } catch (error) {
    database?.close()
    if (error instanceof Error && 'errcode' in error && error.errcode === sqliteBusy) {
      throw new EmbeddedPostgresError(
        'data-directory-in-use',
        `Another Muster already runs on the data directory ${dataDirectory}. ` +
          'Stop it first, or give this one another MUSTER_DATA_DIR.',
      )
    }
    const reason = error instanceof Error ? error.message : String(error)
    throw new EmbeddedPostgresError('data-directory-unusable', `Cannot lock ${path}: ${reason}.`)
  }
}
