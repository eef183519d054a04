import { TextDecoder } from 'node:util'
import { damaged } from '../installer-fault.ts'

const encodings: Record<number, string> = {
  874: 'windows-874',
  932: 'shift_jis',
  936: 'gbk',
  949: 'euc-kr',
  950: 'big5',
  65001: 'utf-8',
}

/** A decoder for a code page of Windows. Files without one contain ASCII, or are wrong. */
export function decoderOf(codePage: number): TextDecoder {
  const isWindows = codePage >= 1250 && codePage <= 1258
  return new TextDecoder(isWindows ? `windows-${codePage}` : (encodings[codePage] ?? 'windows-1252'))
}

/** The strings of an MSI database. Tables refer to them by number. */
export type StringPool = {
  /** Bytes of a reference. */
  referenceBytes: 2 | 3
  get(number: number): string
}

const hasLongReferences = 0x8000

/** The pool has the lengths of the strings, and the data their bytes, one after the other. */
export function parseStringPool(pool: Buffer, data: Buffer): StringPool {
  if (pool.length < 4) throw damaged('its strings are missing')
  const flags = pool.readUInt16LE(2)
  const decoder = decoderOf(pool.readUInt16LE(0) + (flags & 0x7fff) * 2 ** 16)
  const { starts, count } = findStarts(pool, data.length)
  return {
    referenceBytes: (flags & hasLongReferences) === 0 ? 2 : 3,
    get(number) {
      if (number === 0) return ''
      if (number > count) throw damaged('a table refers to a string that does not exist')
      return decoder.decode(data.subarray(starts[number - 1], starts[number]))
    },
  }
}

function findStarts(pool: Buffer, dataBytes: number): { starts: Uint32Array; count: number } {
  const slots = Math.floor(pool.length / 4)
  const starts = new Uint32Array(slots + 1)
  let [count, position] = [0, 0]
  for (let slot = 1; slot < slots; slot++) {
    let length = pool.readUInt16LE(slot * 4)
    const isLong = length === 0 && pool.readUInt16LE(slot * 4 + 2) !== 0
    // The next slot then has the length, in four bytes.
    if (isLong && slot + 1 < slots) length = pool.readUInt32LE(++slot * 4)
    position += length
    if (position > dataBytes) throw damaged('its strings are longer than their data')
    starts[++count] = position
  }
  return { starts, count }
}
