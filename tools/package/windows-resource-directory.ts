/** A directory of resources: of types, of names, or of languages. */
export type ResourceDirectory = { key: string | number; value: ResourceDirectory | ResourceData }[]

/** Data that the program has already, by its address, or new data. */
export type ResourceData = { codePage: number } & ({ address: number; size: number } | { content: Buffer })

const tableSize = 16
const entrySize = 8
const dataSize = 16
/** Marks an entry with a name, and one that leads to another directory. */
const marked = 0x8000_0000

export function parseDirectory(program: Buffer, base: number, offset = 0): ResourceDirectory {
  const table = base + offset
  const count = program.readUInt16LE(table + 12) + program.readUInt16LE(table + 14)
  return Array.from({ length: count }, (_, index) => {
    const entry = table + tableSize + index * entrySize
    const [key, target] = [program.readUInt32LE(entry), program.readUInt32LE(entry + 4)]
    return {
      key: key >= marked ? readName(program, base + key - marked) : key,
      value: target >= marked ? parseDirectory(program, base, target - marked) : readData(program, base + target),
    }
  })
}

function readName(program: Buffer, at: number): string {
  return program.toString('utf16le', at + 2, at + 2 + program.readUInt16LE(at) * 2)
}

function readData(program: Buffer, at: number): ResourceData {
  return {
    address: program.readUInt32LE(at),
    size: program.readUInt32LE(at + 4),
    codePage: program.readUInt32LE(at + 8),
  }
}

/** The tables of a directory, behind them the names, and then the new data, for a section at this address. */
export function writeDirectory(directory: ResourceDirectory, address: number): Buffer {
  const tables = Buffer.alloc(sizeOf(directory))
  const rest: Buffer[] = []
  let end = tables.length
  let next = 0

  const reserve = (size: number) => {
    const at = next
    next += size
    return at
  }
  const append = (content: Buffer) => {
    const at = end
    const padded = Buffer.alloc(Math.ceil(content.length / 8) * 8)
    content.copy(padded)
    rest.push(padded)
    end += padded.length
    return at
  }

  function writeTable(entries: ResourceDirectory): number {
    const at = reserve(tableSize + entries.length * entrySize)
    const sorted = [...entries].sort(compareKeys)
    const named = sorted.filter(({ key }) => typeof key === 'string').length
    tables.writeUInt16LE(named, at + 12)
    tables.writeUInt16LE(sorted.length - named, at + 14)
    for (const [index, { key, value }] of sorted.entries()) {
      const entry = at + tableSize + index * entrySize
      tables.writeUInt32LE(typeof key === 'string' ? append(nameOf(key)) + marked : key, entry)
      tables.writeUInt32LE(Array.isArray(value) ? writeTable(value) + marked : writeData(value), entry + 4)
    }
    return at
  }

  function writeData(data: ResourceData): number {
    const at = reserve(dataSize)
    tables.writeUInt32LE('content' in data ? append(data.content) + address : data.address, at)
    tables.writeUInt32LE('content' in data ? data.content.length : data.size, at + 4)
    tables.writeUInt32LE(data.codePage, at + 8)
    return at
  }

  writeTable(directory)
  return Buffer.concat([tables, ...rest])
}

function sizeOf(directory: ResourceDirectory): number {
  const below = directory.map(({ value }) => (Array.isArray(value) ? sizeOf(value) : dataSize))
  return tableSize + directory.length * entrySize + below.reduce((sum, size) => sum + size, 0)
}

/** Windows searches in this order: names first, then numbers. */
function compareKeys({ key: one }: { key: string | number }, { key: other }: { key: string | number }): number {
  if (typeof one === 'number' && typeof other === 'number') return one - other
  if (typeof one === 'string' && typeof other === 'string') return one < other ? -1 : 1
  return typeof one === 'string' ? -1 : 1
}

function nameOf(text: string): Buffer {
  const length = Buffer.alloc(2)
  length.writeUInt16LE(text.length)
  return Buffer.concat([length, Buffer.from(text, 'utf16le')])
}
