export type Edid = {
  vendorId: string
  name: string | null
  isDigital: boolean
  /** Null where it is not told. */
  year: number | null
  week: number | null
  widthCm: number
  heightCm: number
  pixels: { width: number; height: number } | null
}

const header = Buffer.from([0x00, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x00])
const blockLength = 128

/** The first block of what a monitor tells about itself (VESA E-EDID 1.4), or undefined where it is none. */
export function parseEdid(bytes: Buffer): Edid | undefined {
  const block = bytes.subarray(0, blockLength)
  if (block.length < blockLength || !block.subarray(0, 8).equals(header)) return undefined
  const [week, year] = [block.readUInt8(16), block.readUInt8(17)]
  return {
    vendorId: vendorId(block.readUInt16BE(8)),
    name: nameOf(block),
    isDigital: (block.readUInt8(20) & 0x80) !== 0,
    year: year > 0 ? 1990 + year : null,
    week: week > 0 && week <= 54 ? week : null,
    widthCm: block.readUInt8(21),
    heightCm: block.readUInt8(22),
    pixels: preferredSize(block),
  }
}

/** Three letters of five bits. */
function vendorId(packed: number): string {
  return [10, 5, 0].map((shift) => String.fromCharCode(64 + ((packed >> shift) & 0x1f))).join('')
}

const descriptorPlaces = [54, 72, 90, 108]
const nameTag = 0xfc

function nameOf(block: Buffer): string | null {
  const place = descriptorPlaces.find((at) => block.readUIntBE(at, 3) === 0 && block.readUInt8(at + 3) === nameTag)
  if (place === undefined) return null
  const [text = ''] = block.toString('latin1', place + 5, place + 18).split('\n')
  return text.replace(/[^\x20-\x7e]/g, '').trim() || null
}

/** The first descriptor is a timing, unless its clock is 0. */
function preferredSize(block: Buffer): Edid['pixels'] {
  if (block.readUInt16LE(54) === 0) return null
  const width = block.readUInt8(56) | ((block.readUInt8(58) & 0xf0) << 4)
  const height = block.readUInt8(59) | ((block.readUInt8(61) & 0xf0) << 4)
  return width > 0 && height > 0 ? { width, height } : null
}
