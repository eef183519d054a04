import { createHash } from 'node:crypto'
import { type BackupSource, damagedBackup } from './backup-source.ts'

const skippableFrame = Buffer.from([0x50, 0x2a, 0x4d, 0x18, 32, 0, 0, 0])
const sealLength = skippableFrame.length + 32

/** Yields the compressed data and then its seal: the SHA-256 of all of it, in a frame that zstd skips. */
export async function* appendSeal(compressed: AsyncIterable<Buffer>): AsyncGenerator<Buffer, void, undefined> {
  const hash = createHash('sha256')
  for await (const chunk of compressed) {
    hash.update(chunk)
    yield chunk
  }
  yield Buffer.concat([skippableFrame, hash.digest()])
}

/** Yields the data before the seal and throws at the end if they do not match. */
export async function* readSealed(source: BackupSource): AsyncGenerator<Buffer, void, undefined> {
  const hash = createHash('sha256')
  const found: Buffer[] = []
  let left = Math.max(0, source.size - sealLength)
  for await (const chunk of source.chunks()) {
    const content = chunk.subarray(0, left)
    left -= content.length
    hash.update(content)
    if (content.length < chunk.length) found.push(chunk.subarray(content.length))
    yield content
  }
  if (!Buffer.concat(found).equals(Buffer.concat([skippableFrame, hash.digest()])))
    throw damagedBackup('it was truncated or changed after it had been written')
}
