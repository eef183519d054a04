import { crc32 } from 'node:zlib'

/** The maximum size of a stored block (RFC 1951, section 3.2.4). */
const maxBlockBytes = 65_535

const header = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff])

/**
 * Wraps the content in the gzip format without compressing it. The bytes depend on the content alone, on every node and
 * with every version of zlib. Therefore their hash is known in advance, and nothing has to be stored.
 */
export function toStoredGzip(content: Buffer): Buffer {
  const blocks: Buffer[] = []
  for (let at = 0; at < content.length || at === 0; at += maxBlockBytes) {
    const block = content.subarray(at, at + maxBlockBytes)
    const head = Buffer.alloc(5)
    head.writeUInt8(at + maxBlockBytes >= content.length ? 1 : 0, 0)
    head.writeUInt16LE(block.length, 1)
    head.writeUInt16LE(block.length ^ 0xffff, 3)
    blocks.push(head, block)
  }
  const trailer = Buffer.alloc(8)
  trailer.writeUInt32LE(crc32(content), 0)
  trailer.writeUInt32LE(content.length, 4)
  return Buffer.concat([header, ...blocks, trailer])
}
