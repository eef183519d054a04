import { crc32 } from 'node:zlib'
import type { InnoFacts } from '../facts.ts'
import { readUpTo, type Source } from '../source.ts'
import { toLineOrNothing } from '../texts.ts'
import { unpackLzmaBeginning } from './lzma.ts'
import type { PortableExecutable } from './portable-executable.ts'
import { type Resource, resourceTypes } from './resources.ts'

export type InnoSetup = { version: string; header?: InnoFacts }

/** Since 5.1.5, a resource has the table of offsets; before, the header of the program points to it. */
const tableResource = 11_111
const [pointerPosition, pointerMark] = [0x30, 0x6f6e6e49]
const tableMark = 'rDlPtS'
const tableBytes = 72
const versionBytes = 64
const maxPackedBytes = 256 * 1024
const maxHeaderBytes = 64 * 1024

/** Recognises an installer of Inno Setup by its table of offsets, which leads to the version and the header. */
export async function findInnoSetup(
  { source }: PortableExecutable,
  resources: readonly Resource[],
): Promise<InnoSetup | undefined> {
  const table = await findTable(source, resources)
  if (table === undefined) return undefined
  for (const position of headerPositions(table).filter((one) => one < source.size)) {
    const text = (await readUpTo(source, position, versionBytes)).toString('latin1').replace(/\0.*$/s, '')
    const [, version] = /^Inno Setup Setup Data \((\d[\w.]*)\)/.exec(text) ?? []
    if (version === undefined) continue
    const isUnicode = text.includes('(u)') || compare(version, '6.3') >= 0
    const header = await readHeader(source, position + versionBytes, version, isUnicode)
    return { version, ...(header && { header }) }
  }
  return undefined
}

async function findTable(source: Source, resources: readonly Resource[]): Promise<Buffer | undefined> {
  const resource = resources.find(({ type, name }) => type === resourceTypes.data && name === tableResource)
  const pointer = await source.read(pointerPosition, 12)
  const isPointer =
    pointer.readUInt32LE() === pointerMark && (pointer.readUInt32LE(4) ^ pointer.readUInt32LE(8)) >>> 0 === 0xffffffff
  const table = resource
    ? await readUpTo(resource.open(), 0, tableBytes)
    : isPointer
      ? await readUpTo(source, pointer.readUInt32LE(4), tableBytes)
      : undefined
  return table?.toString('latin1').startsWith(tableMark) ? table : undefined
}

/** The layout of the table differs between versions. The text at the position shows which one is right. */
function headerPositions(table: Buffer): number[] {
  const short = [28, 32, 36, 40].filter((at) => at + 4 <= table.length).map((at) => table.readUInt32LE(at))
  const long = [40].filter((at) => at + 8 <= table.length).map((at) => Number(table.readBigUInt64LE(at)))
  return [...short, ...long].filter((position) => position > 0)
}

/** Since 6.5, an encryption header precedes it. */
const encryptionBytes = 4 + 49

async function readHeader(
  source: Source,
  position: number,
  version: string,
  isUnicode: boolean,
): Promise<InnoFacts | undefined> {
  for (const start of [position, position + encryptionBytes]) {
    const block = await readUpTo(source, start, 9)
    if (block.length < 9 || crc32(block.subarray(4)) !== block.readUInt32LE()) continue
    const stored = await readUpTo(source, start + 9, Math.min(block.readUInt32LE(4), maxPackedBytes))
    const packed = joinChunks(stored)
    const content = block[8] === 0 ? packed : unpackLzmaBeginning(packed, maxHeaderBytes)
    return describe(readTexts(content, isUnicode), version)
  }
  return undefined
}

const chunkBytes = 4096

/** A block consists of chunks, each after its checksum. What follows a damaged one is left out. */
function joinChunks(stored: Buffer): Buffer {
  const chunks: Buffer[] = []
  for (let at = 0; at + 4 < stored.length; at += 4 + chunkBytes) {
    const chunk = stored.subarray(at + 4, at + 4 + chunkBytes)
    const isCut = stored.length === maxPackedBytes && at + 4 + chunkBytes > stored.length
    if (!isCut && crc32(chunk) !== stored.readUInt32LE(at)) break
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

const maxTexts = 40

function readTexts(content: Buffer, isUnicode: boolean): string[] {
  const texts: string[] = []
  for (let at = 0; at + 4 <= content.length && texts.length < maxTexts; ) {
    const length = content.readUInt32LE(at)
    if (at + 4 + length > content.length) break
    texts.push(content.toString(isUnicode ? 'utf16le' : 'latin1', at + 4, at + 4 + length))
    at += 4 + length
  }
  return texts
}

/** Where the texts are that matter. Later versions have inserted others between them. */
function describe(texts: readonly string[], version: string): InnoFacts | undefined {
  if (compare(version, '4.2.4') < 0 || texts.length < 12) return undefined
  const hasPhone = compare(version, '5.1.13') >= 0
  const at = hasPhone ? { version: 9, folder: 10 } : { version: 8, folder: 9 }
  const facts = {
    name: texts[0],
    appId: withoutConstants(texts[2]),
    publisher: texts[4],
    version: texts[at.version],
    versionedName: texts[1],
    defaultFolder: texts[at.folder],
    ...(compare(version, '6.3') >= 0 && { architectures: texts[30], architecturesIn64BitMode: texts[31] }),
  }
  const lines = Object.entries(facts).map(([name, text]) => [name, toLineOrNothing(text)] as const)
  return Object.fromEntries(lines.filter(([, text]) => text !== undefined))
}

/** Braces begin constants that only the installer can replace. A doubled one is a brace. */
function withoutConstants(text: string | undefined): string | undefined {
  if (text === undefined || /(^|[^{])(\{\{)*\{[^{]/.test(text)) return undefined
  return text.replaceAll('{{', '{')
}

function compare(one: string, other: string): number {
  return one.localeCompare(other, 'en', { numeric: true })
}
