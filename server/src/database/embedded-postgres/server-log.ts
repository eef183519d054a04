import { copyFile, type FileHandle, open, stat, truncate } from 'node:fs/promises'
import { join } from 'node:path'

export type ServerLog = {
  fd: number
  /** Remembers the present end; what it returns reads the last lines written since. */
  mark(): Promise<() => Promise<string>>
  close(): Promise<void>
}

const largestSize = 10 * 1024 * 1024
const shownLines = 20
const shownBytes = 16 * 1024

/** The server writes by itself through the descriptor; we keep the file and one predecessor below a size. */
export async function openServerLog(home: string): Promise<ServerLog> {
  const path = join(home, 'postgres.log')
  const handle = await open(path, 'a+', 0o600)
  await bound(path)
  const watch = setInterval(() => void bound(path).catch(() => undefined), 60_000).unref()
  return {
    fd: handle.fd,
    mark: async () => {
      const { size } = await handle.stat()
      return async () => await lastLines(handle, size)
    },
    close: async () => {
      clearInterval(watch)
      await handle.close()
    },
  }
}

/** Cut in place: the server appends, so it goes on at the new end without being told. */
async function bound(path: string): Promise<void> {
  if ((await stat(path)).size < largestSize) return
  await copyFile(path, `${path}.1`)
  await truncate(path)
}

async function lastLines(handle: FileHandle, from: number): Promise<string> {
  const { size } = await handle.stat()
  const start = Math.max(size < from ? 0 : from, size - shownBytes)
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(size - start), 0, size - start, start)
  return buffer.toString('utf8', 0, bytesRead).trimEnd().split('\n').slice(-shownLines).join('\n')
}
