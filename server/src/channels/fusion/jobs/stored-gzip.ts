import { crc32 } from 'node:zlib'

/** What one block can hold that is not compressed (RFC 1951, section 3.2.4). */
const blockBytes = 65_535

const header = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff])

/**
 * The content in the form of gzip, without being compressed. Its bytes follow from the content alone, on every node and
 * with every version of the library, so that their hash can be told before they are sent, and nothing has to be kept.
 */
export function storedGzip(content: Buffer): Buffer {
  const blocks: Buffer[] = []
  for (let at = 0; at < content.length || at === 0; at += blockBytes) {
    const block = content.subarray(at, at + blockBytes)
    const head = Buffer.alloc(5)
    head.writeUInt8(at + blockBytes >= content.length ? 1 : 0, 0)
    head.writeUInt16LE(block.length, 1)
    head.writeUInt16LE(block.length ^ 0xffff, 3)
    blocks.push(head, block)
  }
  const trailer = Buffer.alloc(8)
  trailer.writeUInt32LE(crc32(content), 0)
  trailer.writeUInt32LE(content.length, 4)
  return Buffer.concat([header, ...blocks, trailer])
}
