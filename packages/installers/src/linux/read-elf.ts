import type { AppImageFacts } from '../facts.ts'
import { InstallerFault } from '../installer-fault.ts'
import { partOf, type Source } from '../source.ts'
import { unlessDamaged } from '../unless-damaged.ts'
import { readDesktopEntry } from './desktop-entry.ts'

const architectures: Record<number, string> = { 3: 'x86', 40: 'arm', 62: 'x64', 183: 'arm64' }

/** The facts of an AppImage: a program for Linux with a file system behind it. Other programs are not installers. */
export async function readElf(source: Source): Promise<AppImageFacts> {
  const header = await source.read(0, 64)
  const type = header[10]
  if (header.toString('latin1', 8, 10) !== 'AI' || (type !== 1 && type !== 2))
    throw new InstallerFault('unsupported', 'The file is a program for Linux, but not an AppImage.')
  const architecture = architectures[header.readUInt16LE(18)]
  const end = programEnd(header)
  // Type 1 is an ISO 9660 image, which is not read.
  const hasFileSystem = type === 2 && end < source.size
  const fileSystem = () => partOf(source, end, source.size - end)
  const entry = hasFileSystem ? await unlessDamaged(async () => readDesktopEntry(fileSystem()), undefined) : undefined
  return { format: 'appimage', type, ...(architecture !== undefined && { architecture }), ...entry }
}

/** The table of sections is the last part of the program. */
function programEnd(header: Buffer): number {
  const is64Bit = header[4] === 2
  const start = is64Bit ? Number(header.readBigUInt64LE(40)) : header.readUInt32LE(32)
  const [size, count] = is64Bit
    ? [header.readUInt16LE(58), header.readUInt16LE(60)]
    : [header.readUInt16LE(46), header.readUInt16LE(48)]
  return start + size * count
}
