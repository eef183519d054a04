import { createHash } from 'node:crypto'
import { type FoundFile, openFound, requireUnchanged } from './package-folder.ts'

export type HashedFile = { path: string; size: number; sha256: string }

const pieceBytes = 1024 * 1024

/** The SHA-256 of every file, read piece by piece. A file that is changed meanwhile is noticed. */
export async function hashFiles(
  folder: string,
  files: readonly FoundFile[],
  { signal, progress }: { signal: AbortSignal; progress: (share: number) => void },
): Promise<HashedFile[]> {
  const piece = Buffer.allocUnsafe(pieceBytes)
  const total = files.reduce((sum, { size }) => sum + size, 0)
  let done = 0
  const hashed: HashedFile[] = []
  for (const found of files) {
    const hash = createHash('sha256')
    const file = await openFound(folder, found)
    try {
      for (let read = await file.read(piece); read.bytesRead > 0; read = await file.read(piece)) {
        signal.throwIfAborted()
        hash.update(piece.subarray(0, read.bytesRead))
        done += read.bytesRead
        progress(done / total)
      }
      await requireUnchanged(file, found)
    } finally {
      await file.close()
    }
    hashed.push({ path: found.path, size: found.size, sha256: hash.digest('hex') })
  }
  return hashed
}

/** One hash for the whole content: of the names, sizes and hashes of all files, in the order of their paths. */
export function contentHash(files: readonly HashedFile[]): Buffer {
  const hash = createHash('sha256')
  for (const { path, size, sha256 } of files) hash.update(`${sha256} ${size} ${path}\n`)
  return hash.digest()
}
