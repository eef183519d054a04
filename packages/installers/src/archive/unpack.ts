import { Readable, type Transform } from 'node:stream'
import { createGunzip, createZstdDecompress } from 'node:zlib'
import xz from 'xz-decompress'
import { toInstallerFault, unsupported } from '../installer-fault.ts'
import { chunksOf, readUpTo, type Source } from '../source.ts'

const signatures = [
  ['gzip', '1f8b'],
  ['xz', 'fd377a585a00'],
  ['zstd', '28b52ffd'],
  ['bzip2', '425a68'],
] as const

export type Compression = (typeof signatures)[number][0]

export function findCompression(start: Buffer): Compression | undefined {
  const hex = start.subarray(0, 8).toString('hex')
  return signatures.find(([, signature]) => hex.startsWith(signature))?.[0]
}

/** The content of a source, unpacked if it is compressed. What it unpacks to is charged to the budget. */
export async function* unpacked(source: Source): AsyncGenerator<Buffer> {
  const compression = findCompression(await readUpTo(source, 0, 8))
  const chunks = chunksOf(source)
  if (compression === undefined) return yield* chunks
  if (compression === 'bzip2') throw unsupported('it is compressed with bzip2')
  try {
    for await (const chunk of decompressors[compression](chunks)) {
      source.budget.chargeUnpacked(chunk.length)
      yield chunk
    }
  } catch (error) {
    throw toInstallerFault(error)
  }
}

const decompressors = {
  gzip: (chunks: AsyncIterable<Buffer>) => throughTransform(chunks, createGunzip()),
  // Windows of more than 128 MiB are refused.
  zstd: (chunks: AsyncIterable<Buffer>) => throughTransform(chunks, createZstdDecompress()),
  xz: throughXz,
}

async function* throughTransform(chunks: AsyncIterable<Buffer>, transform: Transform): AsyncGenerator<Buffer> {
  const input = Readable.from(chunks)
  input.on('error', (error) => transform.destroy(error))
  try {
    for await (const chunk of input.pipe(transform)) yield chunk
  } finally {
    input.destroy()
  }
}

/** The library refuses dictionaries of more than 64 MiB. */
async function* throughXz(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const stream = new xz.XzReadableStream(ReadableStream.from(chunks) as ReadableStream<Uint8Array>)
  const reader = stream.getReader()
  try {
    for (let read = await reader.read(); !read.done; read = await reader.read())
      yield Buffer.from(read.value.buffer, read.value.byteOffset, read.value.byteLength)
  } finally {
    // The library frees its memory once at the end of the data, and fails if it has to do so again.
    await reader.cancel().catch(() => undefined)
  }
}
