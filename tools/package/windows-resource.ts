import { parseDirectory, type ResourceDirectory, writeDirectory } from './windows-resource-directory.ts'

/** Offsets in a 64-bit program for Windows: in its header, its optional header, and the header of a section. */
const header = { sectionCount: 6, optionalSize: 20, optional: 24 }
const optional = {
  sectionAlignment: 32,
  fileAlignment: 36,
  imageSize: 56,
  headersSize: 60,
  checksum: 64,
  directories: 112,
}
const section = { virtualSize: 8, address: 12, rawSize: 16, rawStart: 20, flags: 36, size: 40 }
const directories = { resources: 2, certificates: 4 }

/** Initialised data that can be read. */
const dataFlags = 0x4000_0040
/** The type of resources that contain arbitrary data. */
const rawData = 10

/**
 * A program for Windows with one more resource, in a section of its own. The resources that it has stay where they are, and
 * only their directory is written again. The signature of the vendor is removed, because it no longer applies.
 */
export function addResource(program: Buffer, name: string, content: Buffer): Buffer {
  const start = program.readUInt32LE(0x3c)
  const at = start + header.optional
  const directory = (index: number) => at + optional.directories + index * 8
  const sections = sectionsOf(program, start)
  const last = sections.reduce((one, other) => (other.address > one.address ? other : one))
  const sectionAlignment = program.readUInt32LE(at + optional.sectionAlignment)
  const fileAlignment = program.readUInt32LE(at + optional.fileAlignment)
  const address = align(last.address + last.virtualSize, sectionAlignment)

  const toOffset = (virtual: number) => {
    const own = sections.find((one) => virtual >= one.address && virtual < one.address + one.virtualSize)
    if (!own) throw new Error('The program has no resources.')
    return virtual - own.address + own.rawStart
  }
  const tree = parseDirectory(program, toOffset(program.readUInt32LE(directory(directories.resources))))
  const added = writeDirectory(withRawData(tree, name, content), address)

  const signature = program.readUInt32LE(directory(directories.certificates))
  const body = signature === 0 ? program : program.subarray(0, signature)
  const rawStart = align(body.length, fileAlignment)
  const rawSize = align(added.length, fileAlignment)
  const result = Buffer.alloc(rawStart + rawSize)
  body.copy(result)
  added.copy(result, rawStart)

  const count = sections.length
  const entry = at + program.readUInt16LE(start + header.optionalSize) + count * section.size
  if (entry + section.size > program.readUInt32LE(at + optional.headersSize))
    throw new Error('There is no room for a section.')
  result.write('.sea\0\0\0\0', entry, 'latin1')
  result.writeUInt32LE(added.length, entry + section.virtualSize)
  result.writeUInt32LE(address, entry + section.address)
  result.writeUInt32LE(rawSize, entry + section.rawSize)
  result.writeUInt32LE(rawStart, entry + section.rawStart)
  result.writeUInt32LE(dataFlags, entry + section.flags)
  result.writeUInt16LE(count + 1, start + header.sectionCount)
  result.writeUInt32LE(align(address + added.length, sectionAlignment), at + optional.imageSize)
  result.writeUInt32LE(0, at + optional.checksum)
  result.writeUInt32LE(address, directory(directories.resources))
  result.writeUInt32LE(added.length, directory(directories.resources) + 4)
  result.fill(0, directory(directories.certificates), directory(directories.certificates) + 8)
  return result
}

function sectionsOf(program: Buffer, start: number) {
  const table = start + header.optional + program.readUInt16LE(start + header.optionalSize)
  return Array.from({ length: program.readUInt16LE(start + header.sectionCount) }, (_, index) => {
    const read = (offset: number) => program.readUInt32LE(table + index * section.size + offset)
    return {
      address: read(section.address),
      virtualSize: Math.max(read(section.virtualSize), read(section.rawSize)),
      rawStart: read(section.rawStart),
    }
  })
}

function withRawData(tree: ResourceDirectory, name: string, content: Buffer): ResourceDirectory {
  const others = tree.find(({ key }) => key === rawData)?.value ?? []
  if (!Array.isArray(others)) throw new Error('The resources of the program are not understood.')
  const language = [{ key: 0, value: { content, codePage: 0 } }]
  return [
    ...tree.filter(({ key }) => key !== rawData),
    { key: rawData, value: [...others, { key: name, value: language }] },
  ]
}

function align(value: number, unit: number): number {
  return Math.ceil(value / unit) * unit
}
