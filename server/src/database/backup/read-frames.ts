import type { FileHandle } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { createZstdDecompress } from 'node:zlib'
import { BackupError } from './backup-error.ts'
import { frameHeadLength, longestFrame } from './format.ts'

export type Frame = { kind: string; content: Buffer; head: Buffer }

const zstdMagic = Buffer.from([0x28, 0xb5, 0x2f, 0xfd])
const chunkSize = 128 * 1024

/** The frames of the file, one at a time; what is no whole frame ends with an error. */
export async function* readFrames(file: FileHandle): AsyncGenerator<Frame, void, undefined> {
  await requireMagic(file)
  const source = Readable.from(readChunks(file), { objectMode: false, highWaterMark: chunkSize })
  const plain = source.pipe(createZstdDecompress({ chunkSize }))
  source.on('error', (error) => plain.destroy(error))
  const bytes = byteReader(plain[Symbol.asyncIterator]())
  try {
    for (;;) {
      const head = await bytes.take(frameHeadLength)
      if (head.length === 0) return
      const length = head.length === frameHeadLength ? head.readUInt32BE(1) : 0
      if (length > longestFrame) throw damaged('a length in it makes no sense')
      const content = await bytes.take(length)
      if (head.length < frameHeadLength || content.length < length) throw damaged('it ends in the middle')
      yield { kind: head.toString('latin1', 0, 1), content, head }
    }
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException
    throw /^(ZSTD_|Z_)/i.test(code) ? damaged(`it cannot be decompressed: ${(error as Error).message}`) : error
  } finally {
    source.destroy()
    plain.destroy()
  }
}

export function damaged(what: string): BackupError {
  return new BackupError(`The backup file is damaged: ${what}. Nothing was changed.`)
}

/** Unlike a stream of the file it never closes the file, which is read twice. */
async function* readChunks(file: FileHandle): AsyncGenerator<Buffer, void, undefined> {
  for (let position = 0; ; ) {
    const { buffer, bytesRead } = await file.read(Buffer.allocUnsafe(chunkSize), 0, chunkSize, position)
    if (bytesRead === 0) return
    position += bytesRead
    yield buffer.subarray(0, bytesRead)
  }
}

async function requireMagic(file: FileHandle): Promise<void> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(zstdMagic.length), 0, zstdMagic.length, 0)
  if (bytesRead < zstdMagic.length || !buffer.equals(zstdMagic))
    throw new BackupError('The file is not a backup of Muster.')
}

/** Hands out exact numbers of bytes, fewer only at the end. */
function byteReader(chunks: AsyncIterator<Buffer>) {
  let rest: Buffer = Buffer.alloc(0)
  return {
    async take(length: number): Promise<Buffer> {
      const parts = [rest]
      let have = rest.length
      while (have < length) {
        const next = await chunks.next()
        if (next.done) break
        parts.push(next.value)
        have += next.value.length
      }
      const all = parts.length === 1 ? rest : Buffer.concat(parts)
      rest = all.subarray(length)
      return all.subarray(0, length)
    },
  }
}
