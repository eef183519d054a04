import type { FileHandle } from 'node:fs/promises'

const maxChunkBytes = 256 * 1024

/** Reads an open file from its current position to its end. A chunk is only valid until the next one is requested. */
export async function* readChunks(file: FileHandle): AsyncGenerator<Buffer, void, undefined> {
  const { size } = await file.stat()
  const buffer = Buffer.allocUnsafe(Math.min(Math.max(size, 1), maxChunkBytes))
  for (let read = await file.read(buffer); read.bytesRead > 0; read = await file.read(buffer))
    yield buffer.subarray(0, read.bytesRead)
}
