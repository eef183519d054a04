import type { FileHandle } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { createZstdDecompress } from 'node:zlib'
import { frameHeadLength, longestFrame } from './format.ts'
import { chunkSize, damaged, unsealed } from './seal.ts'

export type Frame = { kind: string; content: Buffer }

/** The frames of the file, one at a time; what is no whole frame ends with an error. */
export async function* readFrames(file: FileHandle): AsyncGenerator<Frame, void, undefined> {
  const source = Readable.from(unsealed(file), { objectMode: false, highWaterMark: chunkSize })
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
      yield { kind: head.toString('latin1', 0, 1), content }
    }
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException
    throw /^(ZSTD_|Z_)/i.test(code) ? damaged(`it cannot be decompressed: ${(error as Error).message}`) : error
  } finally {
    source.destroy()
    plain.destroy()
  }
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
