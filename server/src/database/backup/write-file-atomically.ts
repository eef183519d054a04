import { type FileHandle, open, rename, rm, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { BackupError } from './backup-error.ts'

/** Writes a temporary file, flushes it to disk and renames it to `path` so that `path` is never incomplete. */
export async function writeFileAtomically(path: string, write: (file: FileHandle) => Promise<void>): Promise<void> {
  await requireReplaceable(path)
  const unfinished = `${path}.part`
  await rm(unfinished, { force: true })
  // Readable only by its owner, because it contains secrets.
  const file = await open(unfinished, 'wx', 0o600)
  try {
    await write(file)
    await file.sync()
    await requireSameFile(file, unfinished)
    await rename(unfinished, path)
  } catch (error) {
    await rm(unfinished, { force: true })
    throw error
  } finally {
    await file.close()
  }
  const folder = await open(dirname(path), 'r')
  await folder.sync().finally(() => folder.close())
}

/** Renaming over a device, a socket or a pipe would replace it: as root, `/dev/null` would become a regular file. */
async function requireReplaceable(path: string): Promise<void> {
  const existing = await stat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })
  if (existing && !existing.isFile()) throw new BackupError(`${path} is not a regular file. Choose another file name.`)
}

async function requireSameFile(file: FileHandle, path: string): Promise<void> {
  const [written, found] = await Promise.all([file.stat(), stat(path).catch(() => undefined)])
  if (found?.ino !== written.ino || found.dev !== written.dev)
    throw new BackupError(`Another program replaced or removed ${path} during the backup. Start the backup again.`)
}
