import { type FileHandle, open, rename, rm, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { BackupError } from './backup-error.ts'

/** Writes `path` as a whole or not at all: under another name first, and safely on the disk before it gets its own. */
export async function writeNewFile(path: string, write: (file: FileHandle) => Promise<void>): Promise<void> {
  const unfinished = `${path}.part`
  await rm(unfinished, { force: true })
  // Only for its owner: there are secrets inside.
  const file = await open(unfinished, 'wx', 0o600)
  try {
    await write(file)
    await file.sync()
    await requireOurs(file, unfinished)
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

async function requireOurs(file: FileHandle, path: string): Promise<void> {
  const [ours, found] = await Promise.all([file.stat(), stat(path).catch(() => undefined)])
  if (found?.ino !== ours.ino || found.dev !== ours.dev)
    throw new BackupError(`Something else wrote or removed ${path} meanwhile. Start the backup again.`)
}
