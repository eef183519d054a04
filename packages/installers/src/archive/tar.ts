import { damaged, InstallerFault } from '../installer-fault.ts'
import type { Source } from '../source.ts'
import { findCompression, unpacked } from './unpack.ts'

const blockBytes = 512
/** Of a long name or a list of attributes, which precede the entry that they are about. */
const maxNameBytes = 64 * 1024

export type TarEntry = {
  name: string
  bytes: number
  isFile: boolean
  /** The content. Valid until the next entry is requested. */
  read(maxBytes: number): Promise<Buffer>
}

export const isTarBlock = (block: Buffer) => block.length >= 263 && block.toString('latin1', 257, 262) === 'ustar'

/** Reads forwards. Returns fewer bytes only at the end. */
type Forward = { take(length: number): Promise<Buffer>; skip(length: number): Promise<void> }

/**
 * The entries of a tar archive, which may be compressed. Of one that is not, only the headers are read: libraries would read
 * all of it.
 */
export async function* tarEntries(source: Source): AsyncGenerator<TarEntry> {
  const isCompressed = findCompression(await source.read(0, Math.min(8, source.size))) !== undefined
  const input = isCompressed ? fromChunks(unpacked(source)) : fromSource(source)
  let longName: string | undefined
  for (;;) {
    const block = await input.take(blockBytes)
    if (block.length < blockBytes || block.every((byte) => byte === 0)) return
    const { name, bytes, type } = parseHeader(block)
    const padding = (blockBytes - (bytes % blockBytes)) % blockBytes
    if (type === 'L' || type === 'x' || type === 'g') {
      if (bytes > maxNameBytes) throw damaged('the name of an entry is too long')
      const content = await input.take(bytes)
      await input.skip(padding)
      if (type !== 'g')
        longName = (type === 'L' ? content.toString().replace(/\0.*$/s, '') : paxPath(content)) ?? longName
      continue
    }
    let unread = bytes
    yield {
      name: longName ?? name,
      bytes,
      isFile: type === '0' || type === '\0' || type === '7',
      async read(maxBytes) {
        if (unread !== bytes || bytes > maxBytes)
          throw new InstallerFault('tooLarge', `A file in it has more than ${maxBytes} bytes.`)
        unread = 0
        const content = await input.take(bytes)
        if (content.length < bytes) throw damaged('the archive ends too early')
        return content
      },
    }
    longName = undefined
    await input.skip(unread + padding)
  }
}

function parseHeader(block: Buffer): { name: string; bytes: number; type: string } {
  const sum = block.reduce((total, byte, at) => total + (at >= 148 && at < 156 ? 0x20 : byte), 0)
  if (numberAt(block, 148, 8) !== sum) throw damaged('a header of the archive has a wrong checksum')
  const text = (start: number, length: number) => block.toString('utf8', start, start + length).replace(/\0.*$/s, '')
  const prefix = isTarBlock(block) && block[263] === 0x30 ? text(345, 155) : ''
  const name = text(0, 100)
  return {
    name: prefix === '' ? name : `${prefix}/${name}`,
    bytes: numberAt(block, 124, 12),
    type: String.fromCharCode(block[156] ?? 0),
  }
}

/** Octal digits, or a binary number if the first bit is set. */
function numberAt(block: Buffer, start: number, length: number): number {
  const field = block.subarray(start, start + length)
  if (((field[0] ?? 0) & 0x80) !== 0) {
    const value = field.subarray(-8).readBigUInt64BE() & 0x7fffffffffffffffn
    if (value > BigInt(Number.MAX_SAFE_INTEGER)) throw damaged('an entry of the archive is larger than any file')
    return Number(value)
  }
  const digits = field.toString('latin1').replace(/\0.*$/s, '').trim()
  if (!/^[0-7]*$/.test(digits)) throw damaged('a header of the archive is not readable')
  return digits === '' ? 0 : Number.parseInt(digits, 8)
}

/** Attributes are lines such as `26 path=some/long/name`, with their length first. */
function paxPath(attributes: Buffer): string | undefined {
  return /(?:^|\n)\d+ path=([^\n]*)\n/.exec(attributes.toString())?.[1]
}

function fromSource(source: Source): Forward {
  let position = 0
  return {
    async take(length) {
      const bytes = await source.read(position, Math.max(0, Math.min(length, source.size - position)))
      position += bytes.length
      return bytes
    },
    async skip(length) {
      position = Math.min(position + length, source.size)
    },
  }
}

function fromChunks(chunks: AsyncGenerator<Buffer>): Forward {
  let rest: Buffer = Buffer.alloc(0)
  const next = async () => {
    const { value, done } = await chunks.next()
    rest = done ? Buffer.alloc(0) : value
    return !done
  }
  return {
    async take(length) {
      const parts: Buffer[] = []
      for (let missing = length; missing > 0; ) {
        if (rest.length === 0 && !(await next())) break
        const part = rest.subarray(0, missing)
        parts.push(part)
        rest = rest.subarray(part.length)
        missing -= part.length
      }
      return Buffer.concat(parts)
    },
    async skip(length) {
      for (let missing = length; missing > 0; ) {
        if (rest.length === 0 && !(await next())) return
        const skipped = Math.min(missing, rest.length)
        rest = rest.subarray(skipped)
        missing -= skipped
      }
    },
  }
}
