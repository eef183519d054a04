import { copyFile, type FileHandle, open, stat, truncate } from 'node:fs/promises'
import { join } from 'node:path'
import { requireNoFolder } from './unusable-paths.ts'

export type ServerLog = {
  fd: number
  /** Returns a function that reads the last lines written since this call. */
  mark(): Promise<() => Promise<string>>
  close(): Promise<void>
}

const maxLogBytes = 10 * 1024 * 1024
const maxShownLines = 20
const maxShownBytes = 16 * 1024

/** The server writes to the descriptor itself. The log is rotated by size, and one previous file is kept. */
export async function openServerLog(home: string): Promise<ServerLog> {
  const path = join(home, 'postgres.log')
  await requireNoFolder(path)
  const handle = await open(path, 'a+', 0o600)
  await rotateIfLarge(path)
  const timer = setInterval(() => void rotateIfLarge(path).catch(() => undefined), 60_000).unref()
  return {
    fd: handle.fd,
    mark: async () => {
      const { size } = await handle.stat()
      return async () => await readLastLines(handle, size)
    },
    close: async () => {
      clearInterval(timer)
      await handle.close()
    },
  }
}

/** Truncates the file in place. The server appends, so it continues at the new end without a restart. */
async function rotateIfLarge(path: string): Promise<void> {
  if ((await stat(path)).size < maxLogBytes) return
  await copyFile(path, `${path}.1`)
  await truncate(path)
}

async function readLastLines(handle: FileHandle, from: number): Promise<string> {
  const { size } = await handle.stat()
  const start = Math.max(size < from ? 0 : from, size - maxShownBytes)
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(size - start), 0, size - start, start)
  return buffer.toString('utf8', 0, bytesRead).trimEnd().split('\n').slice(-maxShownLines).join('\n')
}
