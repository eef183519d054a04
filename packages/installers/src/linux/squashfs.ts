import { inflateSync } from 'node:zlib'
import { unpacked } from '../archive/unpack.ts'
import { damaged, InstallerFault, unsupported } from '../installer-fault.ts'
import { type Source, sourceOf } from '../source.ts'

const superblockBytes = 96
const metadataBytes = 8192
const maxDirectoryBytes = 1024 * 1024
const maxBlockBytes = 1024 * 1024
const [gzip, xz, zstd] = [1, 4, 6]
const noFragment = 0xffffffff
const isStoredBlock = 2 ** 24
const isStoredMetadata = 0x8000

export const nodeTypes = { folder: 1, file: 2, link: 3 } as const

/** Where the description of a file is. */
type NodeAddress = { block: number; offset: number }

export type SquashEntry = { name: string; type: number; address: NodeAddress }

/** The parts of a read-only file system that are needed to find a small file in it. */
export type Squashfs = {
  listFolder(address?: NodeAddress): Promise<SquashEntry[]>
  readFile(address: NodeAddress, maxBytes: number): Promise<Buffer>
  readLink(address: NodeAddress): Promise<string>
}

export async function openSquashfs(source: Source): Promise<Squashfs> {
  const superblock = await source.read(0, superblockBytes)
  if (superblock.toString('latin1', 0, 4) !== 'hsqs' || superblock.readUInt16LE(28) !== 4)
    throw unsupported('its file system is not SquashFS 4')
  const [inodeTable, folderTable, fragmentTable] = [64, 72, 80].map((at) => toNumber(superblock, at)) as [
    number,
    number,
    number,
  ]
  const reader = { source, compressor: superblock.readUInt16LE(20) }
  const nodeAt = ({ block, offset }: NodeAddress, length: number) =>
    readMetadata(reader, inodeTable + block, offset, length)
  const root = { offset: superblock.readUInt16LE(32), block: toNumber(superblock, 32, 2) }

  async function listFolder(address = root): Promise<SquashEntry[]> {
    const node = await nodeAt(address, 40)
    const { size, block, offset } = folderOf(node)
    if (size > maxDirectoryBytes) throw new InstallerFault('tooLarge', 'A folder in the file has too many entries.')
    return parseFolder(await readMetadata(reader, folderTable + block, offset, Math.max(0, size - 3)))
  }

  async function readFile(address: NodeAddress, maxBytes: number): Promise<Buffer> {
    const { size, fragment, offset, start, firstBlock } = fileOf(await nodeAt(address, 60))
    if (size > maxBytes) throw new InstallerFault('tooLarge', `A file in it has more than ${maxBytes} bytes.`)
    if (fragment === noFragment) return (await readBlock(reader, start, firstBlock)).subarray(0, size)
    const pointer = toNumber(await source.read(fragmentTable + Math.floor(fragment / 512) * 8, 8), 0)
    const entry = await readMetadata(reader, pointer, (fragment % 512) * 16, 16)
    return (await readBlock(reader, toNumber(entry, 0), entry.readUInt32LE(8))).subarray(offset, offset + size)
  }

  async function readLink(address: NodeAddress): Promise<string> {
    const length = (await nodeAt(address, 24)).readUInt32LE(20)
    if (length > 4096) throw damaged('a link in it is too long')
    return (await nodeAt(address, 24 + length)).toString('utf8', 24)
  }

  return { listFolder, readFile, readLink }
}

/** A number of up to eight bytes, without its lowest `skipped` ones. */
function toNumber(bytes: Buffer, at: number, skipped = 0): number {
  const value = Number(bytes.readBigUInt64LE(at) >> BigInt(8 * skipped))
  if (!Number.isSafeInteger(value)) throw damaged('a position in it is outside the file')
  return value
}

type Reader = { source: Source; compressor: number }

/** Metadata is a sequence of blocks of 8 KiB, each with its own compressed size. */
async function readMetadata(reader: Reader, position: number, offset: number, length: number): Promise<Buffer> {
  const parts: Buffer[] = []
  for (let [at, available] = [position, 0]; available < offset + length; ) {
    const header = (await reader.source.read(at, 2)).readUInt16LE()
    const size = header & (isStoredMetadata - 1)
    if (size === 0 || size > metadataBytes) throw damaged('a part of its file system is not readable')
    const stored = await reader.source.read(at + 2, size)
    const block = (header & isStoredMetadata) === 0 ? await unpackBlock(reader, stored, metadataBytes) : stored
    parts.push(block)
    available += block.length
    at += 2 + size
    if (block.length < metadataBytes && available < offset + length) {
      // The end of a table. Descriptions at its end may be shorter than what was asked for.
      break
    }
  }
  return padded(Buffer.concat(parts).subarray(offset, offset + length), length)
}

function padded(bytes: Buffer, length: number): Buffer {
  return bytes.length === length ? bytes : Buffer.concat([bytes, Buffer.alloc(length - bytes.length)])
}

async function readBlock(reader: Reader, position: number, header: number): Promise<Buffer> {
  const size = header & (isStoredBlock - 1)
  if (size > maxBlockBytes) throw damaged('a block of its file system is too large')
  const stored = await reader.source.read(position, size)
  return (header & isStoredBlock) === 0 ? unpackBlock(reader, stored, maxBlockBytes) : stored
}

async function unpackBlock({ source, compressor }: Reader, stored: Buffer, maxBytes: number): Promise<Buffer> {
  if (compressor === gzip) {
    const block = inflateSync(stored, { maxOutputLength: maxBytes })
    source.budget.chargeUnpacked(block.length)
    return block
  }
  if (compressor !== xz && compressor !== zstd) throw unsupported('the compression of its file system is not read')
  const parts: Buffer[] = []
  let length = 0
  for await (const part of unpacked(sourceOf(stored, source.budget))) {
    length += part.length
    if (length > maxBytes) throw damaged('a block of its file system is too large')
    parts.push(part)
  }
  return Buffer.concat(parts)
}

const extended = 7

function folderOf(node: Buffer): { size: number; block: number; offset: number } {
  const type = node.readUInt16LE()
  if (type === nodeTypes.folder)
    return { block: node.readUInt32LE(16), size: node.readUInt16LE(24), offset: node.readUInt16LE(26) }
  if (type === nodeTypes.folder + extended)
    return { size: node.readUInt32LE(20), block: node.readUInt32LE(24), offset: node.readUInt16LE(34) }
  throw damaged('a folder in it is not a folder')
}

function fileOf(node: Buffer): { size: number; fragment: number; offset: number; start: number; firstBlock: number } {
  const at = (position: number) => node.readUInt32LE(position)
  if (node.readUInt16LE() === nodeTypes.file)
    return { start: at(16), fragment: at(20), offset: at(24), size: at(28), firstBlock: at(32) }
  if (node.readUInt16LE() === nodeTypes.file + extended)
    return { start: toNumber(node, 16), size: toNumber(node, 24), fragment: at(44), offset: at(48), firstBlock: at(56) }
  throw damaged('a file in it is not a file')
}

/** Runs of entries, each after a header with their count and the block of their descriptions. */
function parseFolder(bytes: Buffer): SquashEntry[] {
  const entries: SquashEntry[] = []
  for (let at = 0; at + 12 <= bytes.length; ) {
    const [last, block] = [bytes.readUInt32LE(at), bytes.readUInt32LE(at + 4)]
    at += 12
    for (let count = 0; count <= Math.min(last, 256) && at + 8 <= bytes.length; count++) {
      const [offset, type, length] = [0, 4, 6].map((field) => bytes.readUInt16LE(at + field)) as [
        number,
        number,
        number,
      ]
      entries.push({ name: bytes.toString('utf8', at + 8, at + 9 + length), type, address: { block, offset } })
      at += 9 + length
    }
  }
  return entries
}
