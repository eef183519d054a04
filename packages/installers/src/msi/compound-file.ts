import { damaged, InstallerFault } from '../installer-fault.ts'
import type { Source } from '../source.ts'

export const compoundFileSignature = Buffer.from('d0cf11e0a1b11ae1', 'hex')

const headerBytes = 512
const entryBytes = 128
const fatNumbersInHeader = 109
/** Numbers from here on have a meaning of their own, such as the end of a chain. */
const maxSector = 0xfffffffa
const noEntry = 0xffffffff
const maxDirectoryBytes = 16 * 1024 * 1024
const maxStreamBytes = 32 * 1024 * 1024

type Entry = {
  name: string
  type: number
  classId: Buffer
  links: number[]
  child: number
  start: number
  size: number
}
const [streamType, rootType] = [2, 5]

export type CompoundFile = {
  /** Identifies the program that the file belongs to. */
  classId: string
  streamNames: readonly string[]
  /** The content of a stream at the top level; undefined if there is none. */
  findStream(name: string): Promise<Buffer | undefined>
}

/**
 * Opens a compound file of OLE, which contains streams as a file system does. Only the sectors that are needed are read:
 * the file may have gigabytes.
 */
export async function openCompoundFile(source: Source): Promise<CompoundFile> {
  const sectors = await openSectors(source)
  const directory = await readChain(sectors, sectors.firstDirectorySector, { maxBytes: maxDirectoryBytes })
  const entries = parseEntries(directory, sectors.isVersion4)
  const root = entries[0]
  if (root?.type !== rootType) throw damaged('its directory has no root')
  const streams = new Map(topLevelStreams(entries, root).map((entry) => [entry.name, entry]))
  let smallStreams: Promise<SmallSectors> | undefined
  return {
    classId: root.classId.toString('hex'),
    streamNames: [...streams.keys()],
    async findStream(name) {
      const entry = streams.get(name)
      if (!entry) return undefined
      requireStreamSize(entry.size, source.size)
      if (entry.size >= sectors.smallStreamLimit) return readStream(sectors, entry)
      smallStreams ??= openSmallSectors(sectors, root)
      return readSmallStream(await smallStreams, entry)
    },
  }
}

function requireStreamSize(size: number, fileSize: number): void {
  if (size > fileSize) throw damaged('a stream is larger than the file')
  if (size > maxStreamBytes)
    throw new InstallerFault('tooLarge', `A table of the file has more than ${maxStreamBytes} bytes.`)
}

type Sectors = {
  source: Source
  sectorBytes: number
  smallSectorBytes: number
  smallStreamLimit: number
  isVersion4: boolean
  firstDirectorySector: number
  firstSmallFatSector: number
  positionOf(sector: number): number
  nextOf(sector: number): Promise<number>
}

async function openSectors(source: Source): Promise<Sectors> {
  const header = await source.read(0, headerBytes)
  const [version, shift, smallShift] = [26, 30, 32].map((at) => header.readUInt16LE(at)) as [number, number, number]
  const isKnown = (version === 3 && shift === 9) || (version === 4 && shift === 12)
  if (!isKnown || smallShift !== 6) throw damaged('its header is not one of a compound file')
  const sectorBytes = 2 ** shift
  const positionOf = (sector: number) => (sector + 1) * sectorBytes
  const fat = await listFatSectors(source, header, positionOf, sectorBytes)
  const numbersPerSector = sectorBytes / 4
  return {
    source,
    sectorBytes,
    smallSectorBytes: 2 ** smallShift,
    smallStreamLimit: header.readUInt32LE(56),
    isVersion4: version === 4,
    firstDirectorySector: header.readUInt32LE(48),
    firstSmallFatSector: header.readUInt32LE(60),
    positionOf,
    async nextOf(sector) {
      const fatSector = fat[Math.floor(sector / numbersPerSector)]
      if (fatSector === undefined) throw damaged('a chain of sectors leads out of the file')
      const position = positionOf(fatSector) + (sector % numbersPerSector) * 4
      return (await source.read(position, 4)).readUInt32LE()
    },
  }
}

/** Which sectors have the table of all chains: the first are in the header, the others in a chain of their own. */
async function listFatSectors(
  source: Source,
  header: Buffer,
  positionOf: (sector: number) => number,
  sectorBytes: number,
): Promise<number[]> {
  const count = header.readUInt32LE(44)
  // A table that describes more sectors than the file has is a lie.
  const maxCount = Math.ceil(source.size / sectorBytes / (sectorBytes / 4)) + 1
  if (count > maxCount) throw damaged('its table of sectors is larger than the file')
  const sectors: number[] = []
  const add = (numbers: Buffer, length: number) => {
    for (let at = 0; at < length && sectors.length < count; at++) sectors.push(numbers.readUInt32LE(at * 4))
  }
  add(header.subarray(76), fatNumbersInHeader)
  const numbersPerSector = sectorBytes / 4 - 1
  for (let next = header.readUInt32LE(68); sectors.length < count && next < maxSector; ) {
    const numbers = await source.read(positionOf(next), sectorBytes)
    add(numbers, numbersPerSector)
    next = numbers.readUInt32LE(numbersPerSector * 4)
  }
  return sectors
}

type ChainLimits = { maxBytes: number; bytes?: number }

/** The content of a chain: to its end, or the first `bytes`. */
async function readChain(sectors: Sectors, first: number, { maxBytes, bytes }: ChainLimits): Promise<Buffer> {
  const { source, sectorBytes } = sectors
  const wanted = bytes ?? maxBytes
  const parts: Buffer[] = []
  const seen = new Set<number>()
  for (let sector = first; sector < maxSector && parts.length * sectorBytes < wanted; ) {
    if (seen.has(sector)) throw damaged('a chain of sectors leads back to itself')
    seen.add(sector)
    const position = sectors.positionOf(sector)
    // The last sector of a file may be cut off where its content ends.
    const part = await source.read(position, Math.max(0, Math.min(sectorBytes, source.size - position)))
    parts.push(part)
    if (part.length < sectorBytes) break
    sector = await sectors.nextOf(sector)
  }
  const content = Buffer.concat(parts)
  if (bytes === undefined) return content
  if (content.length < bytes) throw damaged('a stream is shorter than its size')
  return content.subarray(0, bytes)
}

const readStream = (sectors: Sectors, { start, size }: Entry) =>
  readChain(sectors, start, { maxBytes: maxStreamBytes, bytes: size })

type SmallSectors = { content: Buffer; fat: Buffer; sectorBytes: number }

/** Small streams share a stream, which has sectors and chains of its own. */
async function openSmallSectors(sectors: Sectors, root: Entry): Promise<SmallSectors> {
  requireStreamSize(root.size, sectors.source.size)
  return {
    content: await readStream(sectors, root),
    fat: await readChain(sectors, sectors.firstSmallFatSector, { maxBytes: maxStreamBytes }),
    sectorBytes: sectors.smallSectorBytes,
  }
}

function readSmallStream({ content, fat, sectorBytes }: SmallSectors, { start, size }: Entry): Buffer {
  const parts: Buffer[] = []
  const seen = new Set<number>()
  for (let sector = start; parts.length * sectorBytes < size; ) {
    if (seen.has(sector) || (sector + 1) * 4 > fat.length) throw damaged('a chain of small sectors is broken')
    seen.add(sector)
    parts.push(content.subarray(sector * sectorBytes, (sector + 1) * sectorBytes))
    sector = fat.readUInt32LE(sector * 4)
  }
  const stream = Buffer.concat(parts)
  if (stream.length < size) throw damaged('a stream is shorter than its size')
  return stream.subarray(0, size)
}

function parseEntries(directory: Buffer, isVersion4: boolean): Entry[] {
  return Array.from({ length: Math.floor(directory.length / entryBytes) }, (_, index) => {
    const entry = directory.subarray(index * entryBytes, (index + 1) * entryBytes)
    const nameBytes = Math.min(entry.readUInt16LE(64), 64)
    return {
      name: entry.toString('utf16le', 0, Math.max(0, nameBytes - 2)),
      type: entry.readUInt8(66),
      links: [entry.readUInt32LE(68), entry.readUInt32LE(72)],
      child: entry.readUInt32LE(76),
      classId: entry.subarray(80, 96),
      start: entry.readUInt32LE(116),
      // Earlier versions leave anything in the upper half.
      size: entry.readUInt32LE(120) + (isVersion4 ? entry.readUInt32LE(124) * 2 ** 32 : 0),
    }
  })
}

/** Entries of a storage form a tree. Storages within this one have streams of the same names and are not looked at. */
function topLevelStreams(entries: readonly Entry[], root: Entry): Entry[] {
  const found: Entry[] = []
  const seen = new Set<number>()
  const open = [root.child]
  for (let index = open.pop(); index !== undefined; index = open.pop()) {
    if (index === noEntry) continue
    const entry = entries[index]
    if (!entry || seen.has(index)) throw damaged('its directory leads back to itself or outside')
    seen.add(index)
    open.push(...entry.links)
    if (entry.type === streamType) found.push(entry)
  }
  return found
}
