import { Readable } from 'node:stream'
import { createZstdDecompress } from 'node:zlib'
import { type BackupSource, chunkSize, damagedBackup } from './backup-source.ts'
import { frameHeadLength, maxFrameLength } from './format.ts'
import { readSealed } from './seal.ts'

export type BackupFrame = { kind: string; content: Buffer }

/** Yields the frames of the file one at a time. Throws at an incomplete frame. */
export async function* readFrames(backup: BackupSource): AsyncGenerator<BackupFrame, void, undefined> {
  const source = Readable.from(readSealed(backup), { objectMode: false, highWaterMark: chunkSize })
  const decompressed = source.pipe(createZstdDecompress({ chunkSize }))
  source.on('error', (error) => decompressed.destroy(error))
  const bytes = byteReader(decompressed[Symbol.asyncIterator]())
  try {
    for (;;) {
      const head = await bytes.take(frameHeadLength)
      if (head.length === 0) return
      const length = head.length === frameHeadLength ? head.readUInt32BE(1) : 0
      if (length > maxFrameLength) throw damagedBackup('it contains an impossible length')
      const content = await bytes.take(length)
      if (head.length < frameHeadLength || content.length < length) throw damagedBackup('it ends in the middle')
      yield { kind: head.toString('latin1', 0, 1), content }
    }
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException
    throw /^(ZSTD_|Z_)/i.test(code) ? damagedBackup(`it cannot be decompressed: ${(error as Error).message}`) : error
  } finally {
    source.destroy()
    decompressed.destroy()
  }
}

/** Reads exact numbers of bytes, and fewer only at the end. */
function byteReader(chunks: AsyncIterator<Buffer>) {
  let rest: Buffer = Buffer.alloc(0)
  return {
    async take(length: number): Promise<Buffer> {
      const parts = [rest]
      let available = rest.length
      while (available < length) {
        const next = await chunks.next()
        if (next.done) break
        parts.push(next.value)
        available += next.value.length
      }
      const all = parts.length === 1 ? rest : Buffer.concat(parts)
      rest = all.subarray(length)
      return all.subarray(0, length)
    },
  }
}
