import { createHash } from 'node:crypto'
import type { FileHandle } from 'node:fs/promises'
import { BackupError } from './backup-error.ts'

const skippableFrame = Buffer.from([0x50, 0x2a, 0x4d, 0x18, 32, 0, 0, 0])
const sealLength = skippableFrame.length + 32
const zstdMagic = Buffer.from([0x28, 0xb5, 0x2f, 0xfd])

export const chunkSize = 128 * 1024

export function damaged(what: string): BackupError {
  return new BackupError(`The backup file is damaged: ${what}. Nothing was changed.`)
}

/** Adds the seal: a hash over everything, in a frame that zstd skips. */
export async function* sealed(packed: AsyncIterable<Buffer>): AsyncGenerator<Buffer, void, undefined> {
  const hash = createHash('sha256')
  for await (const chunk of packed) {
    hash.update(chunk)
    yield chunk
  }
  yield Buffer.concat([skippableFrame, hash.digest()])
}

/** What is under the seal. Fails at the end when the seal is broken; unlike a stream it leaves the file open. */
export async function* unsealed(file: FileHandle): AsyncGenerator<Buffer, void, undefined> {
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
    if (bytesRead === 0) throw damaged('it became shorter while it was read')
    position += bytesRead
    const chunk = buffer.subarray(0, bytesRead)
    hash.update(chunk)
    yield chunk
  }
  const { buffer } = await file.read(Buffer.alloc(sealLength), 0, sealLength, Math.max(end, 0))
  if (!buffer.equals(Buffer.concat([skippableFrame, hash.digest()])))
    throw damaged('it was cut or changed after it had been written')
}

async function requireMagic(file: FileHandle): Promise<void> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(zstdMagic.length), 0, zstdMagic.length, 0)
  if (bytesRead < zstdMagic.length || !buffer.equals(zstdMagic))
    throw new BackupError('The file is not a backup of Muster.')
}
