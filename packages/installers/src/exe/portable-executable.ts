import { damaged, InstallerFault } from '../installer-fault.ts'
import { partOf, readUpTo, type Source } from '../source.ts'

export type Section = { name: string; address: number; size: number; position: number; rawSize: number }

export type PortableExecutable = {
  source: Source
  architecture: string | undefined
  isLibrary: boolean
  sections: readonly Section[]
  /** Where the sections end. Installers append their payload there. */
  overlayPosition: number
  /** Where the payload ends and signatures begin, or the file ends. */
  overlayEnd: number
  resources: { address: number; size: number } | undefined
  signatures: { position: number; size: number } | undefined
}

const architectures: Record<number, string> = { 332: 'x86', 34404: 'x64', 43620: 'arm64', 452: 'arm' }
const maxSections = 96
const sectionBytes = 40
const isLibraryFlag = 0x2000
const [resourceDirectory, securityDirectory] = [2, 4]

/** Reads the headers of a program for Windows. */
export async function openPortableExecutable(source: Source): Promise<PortableExecutable> {
  const start = (await source.read(0x3c, 4)).readUInt32LE()
  const header = await readUpTo(source, start, 24)
  if (header.length < 24 || header.toString('latin1', 0, 4) !== 'PE\0\0')
    throw new InstallerFault('unknownFormat', 'The file is a program for DOS or 16-bit Windows.')
  const optionalBytes = header.readUInt16LE(20)
  const optional = await source.read(start + 24, optionalBytes)
  const sections = await readSections(source, start + 24 + optionalBytes, header.readUInt16LE(6))
  const directories = directoriesOf(optional)
  const [resources, signatures] = [directories(resourceDirectory), directories(securityDirectory)]
  const sectionsEnd = sections.reduce((end, { position, rawSize }) => Math.max(end, position + rawSize), 0)
  const overlayPosition = Math.min(sectionsEnd, source.size)
  // The address of signatures is a position in the file.
  const isSigned = signatures !== undefined && signatures.address >= overlayPosition && signatures.address < source.size
  return {
    source,
    architecture: architectures[header.readUInt16LE(4)],
    isLibrary: (header.readUInt16LE(22) & isLibraryFlag) !== 0,
    sections,
    overlayPosition,
    overlayEnd: isSigned ? signatures.address : source.size,
    resources,
    signatures: isSigned ? { position: signatures.address, size: signatures.size } : undefined,
  }
}

async function readSections(source: Source, position: number, count: number): Promise<Section[]> {
  if (count > maxSections) throw damaged('it has too many sections')
  const headers = await source.read(position, count * sectionBytes)
  return Array.from({ length: count }, (_, index) => {
    const header = headers.subarray(index * sectionBytes, (index + 1) * sectionBytes)
    return {
      name: header.toString('latin1', 0, 8).replace(/\0.*$/s, ''),
      size: header.readUInt32LE(8),
      address: header.readUInt32LE(12),
      rawSize: header.readUInt32LE(16),
      position: header.readUInt32LE(20),
    }
  })
}

/** Finds a directory by its number: headers of 32-bit and 64-bit programs have them at different places. */
function directoriesOf(optional: Buffer): (index: number) => { address: number; size: number } | undefined {
  const magic = optional.length >= 2 ? optional.readUInt16LE() : 0
  const start = { 267: 96, 523: 112 }[magic]
  if (start === undefined) throw damaged('its header is not one of a program for Windows')
  return (index) => {
    const at = start + index * 8
    if (at + 8 > optional.length || optional.readUInt32LE(start - 4) <= index) return undefined
    const [address, size] = [optional.readUInt32LE(at), optional.readUInt32LE(at + 4)]
    return address === 0 || size === 0 ? undefined : { address, size }
  }
}

/** The part of the file that is loaded at an address. Throws if there is none. */
export function loadedPart({ source, sections }: PortableExecutable, address: number, size: number): Source {
  const section = sections.find(
    (one) => address >= one.address && address < one.address + Math.max(one.size, one.rawSize),
  )
  if (!section) throw damaged('an address is in no section')
  const start = section.position + address - section.address
  if (address - section.address + size > section.rawSize) throw damaged('a resource is larger than its section')
  return partOf(source, start, size)
}
