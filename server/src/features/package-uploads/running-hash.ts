import type { FileHandle } from 'node:fs/promises'
import { createSHA256, type IHasher } from 'hash-wasm'

/**
 * A SHA-256 that continues in another request, or on another node, where the last one ended. The hashes of Node cannot be
 * stored, so those of a file in several requests would need a second reading of the whole file.
 */
export async function openRunningHash(file: FileHandle, received: number, state: Buffer | null): Promise<IHasher> {
  const hash = await createSHA256()
  if (received === 0) return hash.init()
  try {
    if (state) return hash.load(state)
  } catch {
    // Another version of the library has stored it.
  }
  return rehash(file, received, hash.init())
}

const chunkBytes = 256 * 1024

async function rehash(file: FileHandle, length: number, hash: IHasher): Promise<IHasher> {
  const buffer = Buffer.allocUnsafe(chunkBytes)
  for (let position = 0; position < length; ) {
    const { bytesRead } = await file.read(buffer, 0, Math.min(chunkBytes, length - position), position)
    if (bytesRead === 0) throw new Error('The file of an upload is shorter than what was recorded.')
    hash.update(buffer.subarray(0, bytesRead))
    position += bytesRead
  }
  return hash
}
