import { checkResult } from '../com/hresult.ts'
import type { ComObject } from '../com/interface.ts'
import { allocateText, clearVariant, processMemory } from '../com/ole.ts'
import { type ComValue, decodeVariant, encodeVariant, InterfacePointer, variantSize } from '../com/variant.ts'

/**
 * A property as WMI passes it to programs: numbers of 64 bits and dates are texts, and all other numbers are signed, even
 * where their class says otherwise.
 */
export type WmiValue = string | number | boolean | null | WmiValue[]

export type WmiRow = Record<string, WmiValue>

const place = { get: 4, put: 5 } as const
const signatures = { get: ['str16', 'int32', 'void *', 'void *', 'void *'], put: ['str16', 'int32', 'void *', 'int32'] }
const notFound = 0x80041002

export function readProperties(object: ComObject, names: readonly string[]): WmiRow {
  return Object.fromEntries(names.map((name) => [name, readProperty(object, name)]))
}

/** The value of a property; null if it has none, or if the class does not have the property on this system. */
export function readProperty(object: ComObject, name: string): WmiValue {
  const variant = Buffer.alloc(variantSize)
  const code = object.call(place.get, signatures.get, name, 0, variant, null, null)
  if (code >>> 0 === notFound) return null
  checkResult(`Reading ${name}`, code)
  const value = toWmiValue(decodeVariant(variant, processMemory))
  clearVariant(variant)
  return value
}

export function writeProperty(object: ComObject, name: string, value: number | string): void {
  const variant = encodeVariant(value, allocateText)
  const code = object.call(place.put, signatures.put, name, 0, variant, 0)
  clearVariant(variant)
  checkResult(`Writing ${name}`, code)
}

/** Objects within objects are not read. */
function toWmiValue(value: ComValue): WmiValue {
  if (Array.isArray(value)) return value.map(toWmiValue)
  if (value instanceof InterfacePointer) return null
  if (value instanceof Date) return value.toISOString()
  return typeof value === 'bigint' ? String(value) : value
}
