import { lstat } from 'node:fs/promises'
import { EmbeddedPostgresError } from './embedded-postgres-error.ts'

/** Something else is where Muster keeps a file or folder. It is never deleted, because it may be of value to somebody. */
export function unusablePathError(path: string, fault: string): EmbeddedPostgresError {
  return new EmbeddedPostgresError(
    'data-directory-unusable',
    `${path} ${fault}. Muster leaves it as it is. ` +
      'If no Muster is running on this data directory, move it away and start again.',
  )
}

export async function requireNoFolder(path: string): Promise<void> {
  const found = await lstat(path).catch(() => undefined)
  if (found?.isDirectory()) throw unusablePathError(path, 'is a folder, but must be a file')
}
