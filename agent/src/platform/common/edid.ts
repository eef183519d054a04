export type Edid = {
  vendorId: string
  name: string | null
  serialNumber: string | null
  isDigital: boolean
  /** 0 if unknown. */
  year: number
  week: number
  widthCm: number
  heightCm: number
  preferred: Timing | null
}

/** A size in pixels and a refresh rate in Hz. */
type Timing = { width: number; height: number; refreshRate: number | null }

const header = Buffer.from([0x00, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x00])
const blockLength = 128

/** Parses the first EDID block of a monitor (VESA E-EDID 1.4); undefined if it is damaged. */
export function parseEdid(bytes: Buffer): Edid | undefined {
  const block = bytes.subarray(0, blockLength)
  if (block.length < blockLength || !block.subarray(0, 8).equals(header)) return undefined
  if (block.reduce((sum, byte) => sum + byte, 0) % 256 !== 0) return undefined
  const week = block.readUInt8(16)
  return {
    vendorId: vendorId(block.readUInt16BE(8)),
    name: descriptorText(block, 0xfc),
    serialNumber: descriptorText(block, 0xff) ?? (block.readUInt32LE(12) > 0 ? String(block.readUInt32LE(12)) : null),
    isDigital: (block.readUInt8(20) & 0x80) !== 0,
    year: block.readUInt8(17) > 0 ? 1990 + block.readUInt8(17) : 0,
    // Week 255 means that the year is the model year.
    week: week <= 54 ? week : 0,
    widthCm: block.readUInt8(21),
    heightCm: block.readUInt8(22),
    preferred: preferredTiming(block),
  }
}

/** Three letters with five bits each. */
function vendorId(packed: number): string {
  return [10, 5, 0].map((shift) => String.fromCharCode(64 + ((packed >> shift) & 0x1f))).join('')
}

const descriptorPlaces = [54, 72, 90, 108]

function descriptorText(block: Buffer, tag: number): string | null {
  const place = descriptorPlaces.find((at) => block.readUIntBE(at, 3) === 0 && block.readUInt8(at + 3) === tag)
  if (place === undefined) return null
  const [text = ''] = block.toString('latin1', place + 5, place + 18).split('\n')
  return text.trim() || null
}

/** A descriptor is a timing unless its pixel clock is 0. The upper bits of two numbers share a byte. */
function preferredTiming(block: Buffer): Timing | null {
  const clock = block.readUInt16LE(54) * 10_000
  if (clock === 0) return null
  const [width, blankColumns] = twoNumbers(block, 56)
  const [height, blankRows] = twoNumbers(block, 59)
  if (width === 0 || height === 0) return null
  return { width, height, refreshRate: clock / ((width + blankColumns) * (height + blankRows)) }
}

function twoNumbers(block: Buffer, at: number): [number, number] {
  const upper = block.readUInt8(at + 2)
  return [block.readUInt8(at) | ((upper & 0xf0) << 4), block.readUInt8(at + 1) | ((upper & 0x0f) << 8)]
}
