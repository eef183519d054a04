import { createHash } from 'node:crypto'
import type { FileHandle } from 'node:fs/promises'
import { BackupError } from './backup-error.ts'

const skippableFrame = Buffer.from([0x50, 0x2a, 0x4d, 0x18, 32, 0, 0, 0])
const sealLength = skippableFrame.length + 32
const zstdMagic = Buffer.from([0x28, 0xb5, 0x2f, 0xfd])

export const chunkSize = 128 * 1024

export function damagedBackup(what: string): BackupError {
  return new BackupError(`The backup file is damaged: ${what}. Nothing was changed.`)
}

/** Yields the compressed data and then its seal: the SHA-256 of all of it, in a frame that zstd skips. */
export async function* appendSeal(compressed: AsyncIterable<Buffer>): AsyncGenerator<Buffer, void, undefined> {
  const hash = createHash('sha256')
  for await (const chunk of compressed) {
    hash.update(chunk)
    yield chunk
  }
  yield Buffer.concat([skippableFrame, hash.digest()])
}

/** Yields the data before the seal and throws at the end if they do not match. Unlike a stream, it leaves the file open. */
export async function* readSealed(file: FileHandle): AsyncGenerator<Buffer, void, undefined> {
  const hash = createHash('sha256')
  const end = (await file.stat()).size - sealLength
  await requireMagic(file)
  let position = 0
  while (position < end) {
    const { buffer, bytesRead } = await file.read(
      Buffer.allocUnsafe(chunkSize),
      0,
      Math.min(chunkSize, end - position),
      position,
    )
    if (bytesRead === 0) throw damagedBackup('it was truncated while it was read')
    position += bytesRead
    const chunk = buffer.subarray(0, bytesRead)
    hash.update(chunk)
    yield chunk
  }
  const { buffer } = await file.read(Buffer.alloc(sealLength), 0, sealLength, Math.max(end, 0))
  if (!buffer.equals(Buffer.concat([skippableFrame, hash.digest()])))
    throw damagedBackup('it was truncated or changed after it had been written')
}

async function requireMagic(file: FileHandle): Promise<void> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(zstdMagic.length), 0, zstdMagic.length, 0)
  if (bytesRead < zstdMagic.length || !buffer.equals(zstdMagic))
    throw new BackupError('The file is not a backup of Muster.')
}
