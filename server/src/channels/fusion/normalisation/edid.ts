export type Edid = {
  vendorId: string
  name: string | null
  isDigital: boolean
  /** Null when unknown. */
  year: number | null
  week: number | null
  widthCm: number
  heightCm: number
  preferred: Timing | null
}

/** A size in pixels and a refresh rate in Hz. */
type Timing = { width: number; height: number; refreshRate: number }

const header = Buffer.from([0x00, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x00])
const blockLength = 128

/** Parses the first block of the identification data of a monitor (VESA E-EDID 1.4); undefined when it is not one. */
export function parseEdid(bytes: Buffer): Edid | undefined {
  const block = bytes.subarray(0, blockLength)
  if (block.length < blockLength || !block.subarray(0, 8).equals(header)) return undefined
  const [week, year] = [block.readUInt8(16), block.readUInt8(17)]
  return {
    vendorId: decodeVendorId(block.readUInt16BE(8)),
    name: findName(block),
    isDigital: (block.readUInt8(20) & 0x80) !== 0,
    year: year > 0 ? 1990 + year : null,
    week: week > 0 && week <= 54 ? week : null,
    widthCm: block.readUInt8(21),
    heightCm: block.readUInt8(22),
    preferred: findPreferredTiming(block),
  }
}

/** Three letters of five bits each. */
function decodeVendorId(packed: number): string {
  return [10, 5, 0].map((shift) => String.fromCharCode(64 + ((packed >> shift) & 0x1f))).join('')
}

const descriptorOffsets = [54, 72, 90, 108]
const nameTag = 0xfc

function findName(block: Buffer): string | null {
  const offset = descriptorOffsets.find((at) => block.readUIntBE(at, 3) === 0 && block.readUInt8(at + 3) === nameTag)
  if (offset === undefined) return null
  const [text = ''] = block.toString('latin1', offset + 5, offset + 18).split('\n')
  return text.replace(/[^\x20-\x7e]/g, '').trim() || null
}

/** The first descriptor is the preferred timing, unless its pixel clock is 0. */
function findPreferredTiming(block: Buffer): Timing | null {
  const clockHz = block.readUInt16LE(54) * 10_000
  const [width, horizontalBlank] = readLengths(block, 56)
  const [height, verticalBlank] = readLengths(block, 59)
  if (clockHz === 0 || width === 0 || height === 0) return null
  return { width, height, refreshRate: clockHz / ((width + horizontalBlank) * (height + verticalBlank)) }
}

/** The visible and the blank length of a line or a frame: eight bits each, then four more of each in one byte. */
function readLengths(block: Buffer, offset: number): [number, number] {
  const high = block.readUInt8(offset + 2)
  return [block.readUInt8(offset) | ((high & 0xf0) << 4), block.readUInt8(offset + 1) | ((high & 0x0f) << 8)]
}
