/** Offsets in a 64-bit little-endian ELF file. */
const header = {
  programHeaders: 32,
  sectionHeaders: 40,
  programHeaderSize: 54,
  programHeaderCount: 56,
  sectionCount: 60,
  sectionNames: 62,
}

/**
 * A program for Linux without its symbols and debug sections, which come after everything that is loaded when it runs.
 * This works for every architecture; strip only knows the one of its machine.
 */
export function withoutDebugSections(program: Buffer): Buffer {
  const first = Number(program.readBigUInt64LE(header.programHeaders))
  const size = program.readUInt16LE(header.programHeaderSize)
  const ends = Array.from({ length: program.readUInt16LE(header.programHeaderCount) }, (_, index) => {
    const at = first + index * size
    return Number(program.readBigUInt64LE(at + 8) + program.readBigUInt64LE(at + 32))
  })
  const loaded = Buffer.from(program.subarray(0, Math.max(...ends)))
  loaded.writeBigUInt64LE(0n, header.sectionHeaders)
  loaded.writeUInt16LE(0, header.sectionCount)
  loaded.writeUInt16LE(0, header.sectionNames)
  return loaded
}
