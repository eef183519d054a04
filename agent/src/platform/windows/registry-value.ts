export type RegistryValue = string | number | bigint | string[] | Buffer

const types = { text: 1, expandable: 2, binary: 3, number: 4, bigEndian: 5, texts: 7, longNumber: 11 } as const

export function decodeRegistryValue(type: number, data: Buffer): RegistryValue {
  if (type === types.text || type === types.expandable) return data.toString('utf16le').split('\0', 1)[0] ?? ''
  if (type === types.texts) return decodeTexts(data.toString('utf16le'))
  if (type === types.number && data.length >= 4) return data.readUInt32LE(0)
  if (type === types.bigEndian && data.length >= 4) return data.readUInt32BE(0)
  if (type === types.longNumber && data.length >= 8) return data.readBigUInt64LE(0)
  return Buffer.from(data)
}

/** Texts that each end with a zero, and another zero at the end. A text may be empty. */
function decodeTexts(text: string): string[] {
  const texts = text.split('\0')
  for (let ends = 0; ends < 2 && texts.at(-1) === ''; ends++) texts.pop()
  return texts
}
