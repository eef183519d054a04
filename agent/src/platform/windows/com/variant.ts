/** The types of a VARIANT that are decoded. */
const types = {
  ...{ empty: 0, null: 1, i2: 2, i4: 3, r4: 4, r8: 5, currency: 6, date: 7, text: 8, dispatch: 9, error: 10, bool: 11 },
  ...{ variant: 12, unknown: 13, decimal: 14, i1: 16, ui1: 17, ui2: 18, ui4: 19, i8: 20, ui8: 21, int: 22, uint: 23 },
} as const

const arrayFlag = 0x2000

export const variantSize = 24

/** An interface pointer in a VARIANT. */
export class InterfacePointer {
  readonly address: bigint

  constructor(address: bigint) {
    this.address = address
  }
}

export type ComValue = string | number | bigint | boolean | Date | null | InterfacePointer | ComValue[]

/** How the decoder reads what a VARIANT points to. */
export type Memory = {
  bytes(address: bigint, length: number): Buffer
  /** The text of a BSTR, which contains its length. */
  text(address: bigint): string
}

export function decodeVariant(variant: Buffer, memory: Memory): ComValue {
  const type = variant.readUInt16LE(0)
  // A DECIMAL is the only value that begins beside the type, because it fills the whole VARIANT.
  if (type === types.decimal) return decodeDecimal(variant)
  if (type & arrayFlag) return decodeArray(type & ~arrayFlag, variant.readBigUInt64LE(8), memory)
  return decodeValue(type, variant.subarray(8), memory)
}

function decodeValue(type: number, value: Buffer, memory: Memory): ComValue {
  if (type === types.empty || type === types.null) return null
  if (type === types.text) return decodeText(value.readBigUInt64LE(0), memory)
  if (type === types.bool) return value.readInt16LE(0) !== 0
  if (type === types.date) return fromAutomationDate(value.readDoubleLE(0))
  if (type === types.dispatch || type === types.unknown) return toPointer(value.readBigUInt64LE(0))
  const read = numbers[type]
  if (!read) throw new Error(`A VARIANT of type ${type} cannot be read.`)
  return read(value)
}

const numbers: Record<number, (value: Buffer) => number | bigint> = {
  [types.i1]: (value) => value.readInt8(0),
  [types.ui1]: (value) => value.readUInt8(0),
  [types.i2]: (value) => value.readInt16LE(0),
  [types.ui2]: (value) => value.readUInt16LE(0),
  [types.i4]: (value) => value.readInt32LE(0),
  [types.int]: (value) => value.readInt32LE(0),
  [types.error]: (value) => value.readInt32LE(0),
  [types.ui4]: (value) => value.readUInt32LE(0),
  [types.uint]: (value) => value.readUInt32LE(0),
  [types.r4]: (value) => value.readFloatLE(0),
  [types.r8]: (value) => value.readDoubleLE(0),
  [types.i8]: (value) => value.readBigInt64LE(0),
  [types.ui8]: (value) => value.readBigUInt64LE(0),
  [types.currency]: (value) => Number(value.readBigInt64LE(0)) / 10_000,
}

const decodeText = (address: bigint, memory: Memory) => (address === 0n ? '' : memory.text(address))
const toPointer = (address: bigint) => (address === 0n ? null : new InterfacePointer(address))

/** The header of a SAFEARRAY on 64-bit systems: dimensions, size of an element, data and number of elements. */
const safeArray = { size: 32, dimensions: 0, elementSize: 4, data: 16, count: 24 } as const

function decodeArray(type: number, address: bigint, memory: Memory): ComValue[] {
  if (address === 0n) return []
  const header = memory.bytes(address, safeArray.size)
  if (header.readUInt16LE(safeArray.dimensions) !== 1) throw new Error('Only arrays of one dimension can be read.')
  const [size, count] = [header.readUInt32LE(safeArray.elementSize), header.readUInt32LE(safeArray.count)]
  if (count === 0) return []
  const data = memory.bytes(header.readBigUInt64LE(safeArray.data), size * count)
  return Array.from({ length: count }, (_, index) => {
    const element = data.subarray(index * size, (index + 1) * size)
    return type === types.variant ? decodeVariant(element, memory) : decodeValue(type, element, memory)
  })
}

/** A 96-bit whole number, a power of ten to divide by, and a sign. Sizes of updates are such numbers. */
function decodeDecimal(variant: Buffer): number {
  const [scale, sign] = [variant.readUInt8(2), variant.readUInt8(3)]
  const whole = (BigInt(variant.readUInt32LE(4)) << 64n) | variant.readBigUInt64LE(8)
  return ((sign === 0 ? 1 : -1) * Number(whole)) / 10 ** scale
}

const dayMs = 86_400_000
const firstAutomationDay = Date.UTC(1899, 11, 30)

/** Days since 1899-12-30; the time of the day is the fraction, which counts forwards also before that day. */
function fromAutomationDate(days: number): Date {
  const whole = Math.trunc(days)
  return new Date(firstAutomationDay + Math.round((whole + Math.abs(days - whole)) * dayMs))
}

export type ComArgument = string | number | boolean | InterfacePointer

/** Writes an argument. `allocateText` returns a BSTR, which the caller frees. */
export function encodeVariant(value: ComArgument, allocateText: (text: string) => bigint): Buffer {
  const variant = Buffer.alloc(variantSize)
  if (typeof value === 'string') {
    variant.writeUInt16LE(types.text, 0)
    variant.writeBigUInt64LE(allocateText(value), 8)
  } else if (typeof value === 'number') {
    variant.writeUInt16LE(types.i4, 0)
    variant.writeInt32LE(value, 8)
  } else if (typeof value === 'boolean') {
    variant.writeUInt16LE(types.bool, 0)
    variant.writeInt16LE(value ? -1 : 0, 8)
  } else {
    variant.writeUInt16LE(types.dispatch, 0)
    variant.writeBigUInt64LE(value.address, 8)
  }
  return variant
}
