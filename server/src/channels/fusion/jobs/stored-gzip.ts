import { crc32 } from 'node:zlib'

/** The maximum size of a stored block (RFC 1951, section 3.2.4). */
export const maxBlockBytes = 65_535

const header = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff])
const blockHeadBytes = 5
const trailerBytes = 8

/**
 * Wraps content of this length in the gzip format without compressing it. The bytes depend on the content alone, on every
 * node and with every version of zlib. Therefore their hash is known in advance, and nothing has to be stored. The blocks
 * have the maximum size, except for the last one; empty content is one empty block.
 */
export async function* toStoredGzip(
  blocks: Iterable<Buffer> | AsyncIterable<Buffer>,
  length: number,
): AsyncGenerator<Buffer> {
  yield header
  let [wrapped, checksum] = [0, 0]
  for await (const block of blocks) {
    wrapped += block.length
    checksum = crc32(block, checksum)
    const head = Buffer.alloc(blockHeadBytes)
    head.writeUInt8(wrapped === length ? 1 : 0, 0)
    head.writeUInt16LE(block.length, 1)
    head.writeUInt16LE(block.length ^ 0xffff, 3)
    yield head
    yield block
  }
  const trailer = Buffer.alloc(trailerBytes)
  trailer.writeUInt32LE(checksum, 0)
  trailer.writeUInt32LE(length, 4)
  yield trailer
}

/** The number of bytes that content of this length has in that format. */
export function storedGzipSize(length: number): number {
  const blocks = Math.max(1, Math.ceil(length / maxBlockBytes))
  return header.length + blocks * blockHeadBytes + length + trailerBytes
}
