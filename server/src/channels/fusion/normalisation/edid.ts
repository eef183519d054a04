export type Edid = {
  vendorId: string
  name: string | null
  isDigital: boolean
  /** Null when unknown. */
  year: number | null
  week: number | null
  widthCm: number
  heightCm: number
  pixels: { width: number; height: number } | null
}

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
    pixels: findPreferredSize(block),
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
function findPreferredSize(block: Buffer): Edid['pixels'] {
  if (block.readUInt16LE(54) === 0) return null
  const width = block.readUInt8(56) | ((block.readUInt8(58) & 0xf0) << 4)
  const height = block.readUInt8(59) | ((block.readUInt8(61) & 0xf0) << 4)
  return width > 0 && height > 0 ? { width, height } : null
}
