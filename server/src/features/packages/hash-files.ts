import { createHash } from 'node:crypto'
import { type FoundFile, openFoundFile, requireUnchanged } from './package-folder.ts'

export type HashedFile = { path: string; size: number; sha256: string }

const chunkBytes = 1024 * 1024

/** The SHA-256 of every file, read in chunks. Throws a PackageFault if a file changes while it is read. */
export async function hashFiles(
  folder: string,
  files: readonly FoundFile[],
  { signal, progress }: { signal: AbortSignal; progress: (share: number) => void },
): Promise<HashedFile[]> {
  const chunk = Buffer.allocUnsafe(chunkBytes)
  const totalBytes = files.reduce((sum, { size }) => sum + size, 0)
  let hashedBytes = 0
  const hashed: HashedFile[] = []
  for (const found of files) {
    const hash = createHash('sha256')
    const file = await openFoundFile(folder, found)
    try {
      for (let read = await file.read(chunk); read.bytesRead > 0; read = await file.read(chunk)) {
        signal.throwIfAborted()
        hash.update(chunk.subarray(0, read.bytesRead))
        hashedBytes += read.bytesRead
        progress(hashedBytes / totalBytes)
      }
      await requireUnchanged(file, found)
    } finally {
      await file.close()
    }
    hashed.push({ path: found.path, size: found.size, sha256: hash.digest('hex') })
  }
  return hashed
}

/** One hash for the whole content: of the hashes, sizes and paths of all files, in the order of their paths. */
export function contentHash(files: readonly HashedFile[]): Buffer {
  const hash = createHash('sha256')
  for (const { path, size, sha256 } of files) hash.update(`${sha256} ${size} ${path}\n`)
  return hash.digest()
}
