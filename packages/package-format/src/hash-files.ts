import { createHash } from 'node:crypto'
import type { FileHandle } from 'node:fs/promises'
import { type FoundFile, openFoundFile, requireUnchanged } from './package-folder.ts'
import { readChunks } from './read-chunks.ts'

export type HashedContent = { size: number; sha256: string }
export type HashedFile = HashedContent & { path: string }

/** Called with the size of every chunk that was read. It may throw to stop the reading. */
export type OnRead = (bytes: number) => void

/**
 * The SHA-256 of every file. Throws a PackageFault if a file changes while it is read. `read` reads one file to its end,
 * and may copy it on the way.
 */
export async function hashFiles(
  folder: string,
  files: readonly FoundFile[],
  { signal, progress }: { signal: AbortSignal; progress: (share: number) => void },
  read: (file: FileHandle, onRead: OnRead) => Promise<HashedContent> = hashContent,
): Promise<HashedFile[]> {
  const totalBytes = files.reduce((sum, { size }) => sum + size, 0)
  let readBytes = 0
  const onRead = (bytes: number) => {
    signal.throwIfAborted()
    readBytes += bytes
    progress(readBytes / totalBytes)
  }
  const hashed: HashedFile[] = []
  for (const found of files) {
    signal.throwIfAborted()
    const file = await openFoundFile(folder, found)
    try {
      const content = await read(file, onRead)
      await requireUnchanged(file, found)
      hashed.push({ path: found.path, ...content })
    } finally {
      await file.close()
    }
  }
  return hashed
}

/** Hashes an open file, from its current position to its end. */
export async function hashContent(file: FileHandle, onRead: OnRead): Promise<HashedContent> {
  const hash = createHash('sha256')
  let size = 0
  for await (const chunk of readChunks(file)) {
    hash.update(chunk)
    size += chunk.length
    onRead(chunk.length)
  }
  return { size, sha256: hash.digest('hex') }
}

/** One hash for the whole content: of the hashes, sizes and paths of all files, in the order of their paths. */
export function contentHash(files: readonly HashedFile[]): Buffer {
  const hash = createHash('sha256')
  for (const { path, size, sha256 } of files) hash.update(`${sha256} ${size} ${path}\n`)
  return hash.digest()
}
