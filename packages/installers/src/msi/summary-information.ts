import { decoderOf } from './string-pool.ts'

export const summaryStreamName = '\u0005SummaryInformation'

const [textType, shortType, longType] = [30, 2, 3]
const codePageProperty = 1
const maxProperties = 100

export type SummaryInformation = { texts: Map<number, string>; numbers: Map<number, number> }

/** Reads a property set of OLE: texts and numbers by their property. What is not readable is left out. */
export function parseSummaryInformation(stream: Buffer): SummaryInformation {
  const [texts, numbers] = [new Map<number, string>(), new Map<number, number>()]
  const start = stream.length >= 48 ? stream.readUInt32LE(44) : stream.length
  const section = stream.subarray(start)
  const count = section.length >= 8 ? Math.min(section.readUInt32LE(4), maxProperties) : 0
  const values: [property: number, value: Buffer][] = []
  for (let index = 0; index < count && 16 + index * 8 <= section.length; index++)
    values.push([section.readUInt32LE(8 + index * 8), section.subarray(section.readUInt32LE(12 + index * 8))])
  for (const [property, value] of values) {
    const number = toNumber(value)
    if (number !== undefined) numbers.set(property, number)
  }
  const decoder = decoderOf(numbers.get(codePageProperty) ?? 0)
  for (const [property, value] of values) {
    if (value.length < 8 || value.readUInt32LE() !== textType) continue
    const text = decoder.decode(value.subarray(8, 8 + value.readUInt32LE(4)))
    texts.set(property, text.replace(/\0.*$/s, ''))
  }
  return { texts, numbers }
}

function toNumber(value: Buffer): number | undefined {
  if (value.length < 8) return undefined
  const type = value.readUInt32LE()
  if (type === shortType) return value.readUInt16LE(4)
  return type === longType ? value.readInt32LE(4) : undefined
}
