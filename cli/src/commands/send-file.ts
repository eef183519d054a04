import type { Stats } from 'node:fs'
import type { PackageUpload, UploadContent } from '@muster/client/upload'
import type { Call } from '../command.ts'
import { CommandFailure } from '../errors.ts'
import { progressOn } from '../output/progress.ts'
import type { Terminal } from '../terminal.ts'

/** Uploads a file of this computer, and shows the progress. */
export async function sendFile({ client, terminal }: Call, path: string): Promise<PackageUpload> {
  // Loaded only here: other commands need none of it.
  const { uploadFile } = await import('@muster/client/upload')
  const { basename, resolve } = await import('node:path')
  const found = await requireFile(path)
  const name = basename(resolve(path))
  const progress = progressOn(terminal)
  try {
    return await uploadFile(
      client,
      { name, content: contentOf(path, found), fingerprint: `${name}-${found.size}-${Math.floor(found.mtimeMs)}` },
      {
        signal: terminal.signal,
        onProgress: (done, total) =>
          progress.show({ done: toMegabytes(done), total: toMegabytes(total), text: `MB of ${name}` }),
      },
    )
  } finally {
    progress.end()
  }
}

/**
 * The content of a file. With `openAsBlob`, Node would take the size modulo four gigabytes. Throws if the file is no longer what it was
 * when `found` was read.
 */
export function contentOf(path: string, { size, mtimeMs }: Pick<Stats, 'size' | 'mtimeMs'>): UploadContent {
  return {
    size,
    async slice(start, end) {
      const { open } = await import('node:fs/promises')
      const file = await open(path).catch(throwAsFailure(path))
      try {
        const length = Math.min(end, size) - start
        const { buffer, bytesRead } = await file.read(Buffer.allocUnsafeSlow(length), 0, length, start)
        const now = await file.stat()
        if (bytesRead < length || now.size !== size || now.mtimeMs !== mtimeMs)
          throw new CommandFailure(`${path} has changed while it was sent. Repeat the command.`)
        return new Blob([buffer])
      } finally {
        await file.close()
      }
    },
  }
}

export async function requireFile(path: string) {
  const { stat } = await import('node:fs/promises')
  const found = await stat(path).catch(throwAsFailure(path))
  if (!found.isFile()) throw new CommandFailure(`${path} is not a file.`)
  if (found.size === 0) throw new CommandFailure(`${path} is empty.`)
  return found
}

const toMegabytes = (bytes: number) => Math.ceil(bytes / 1_000_000)

export function throwAsFailure(path: string) {
  return (error: NodeJS.ErrnoException): never => {
    throw new CommandFailure(
      `${path} cannot be read: ${error.code === 'ENOENT' ? 'there is no such file' : error.message}`,
    )
  }
}

/** The text of a file, or of the standard input for `-`. */
export async function readTextFile(terminal: Terminal, path: string): Promise<string> {
  if (path === '-') return terminal.readInput()
  const { readFile } = await import('node:fs/promises')
  return readFile(path, 'utf8').catch(throwAsFailure(path))
}
