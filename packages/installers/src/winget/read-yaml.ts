import { parse } from 'yaml'
import { toLine } from '../texts.ts'
import { WingetFault } from './winget-fault.ts'

/** The largest manifest of the public repository has 72,000 bytes. */
export const maxWingetFileBytes = 256 * 1024

export type YamlValue = string | null | readonly YamlValue[] | YamlMap
export type YamlMap = { readonly [name: string]: YamlValue }

export type WingetFile = { name: string; content: string }

/**
 * Reads a file of YAML. All scalars stay texts: 1.10 is a version and not a number. Aliases, which can multiply, are refused. Hostile
 * files can still need seconds: a service reads them in a thread.
 */
export function readYamlMap({ name, content }: WingetFile): YamlMap {
  const subject = `'${toLine(name, 200)}'`
  if (Buffer.byteLength(content) > maxWingetFileBytes)
    throw new WingetFault(`${subject} is larger than ${maxWingetFileBytes} bytes.`)
  let value: unknown
  try {
    // The search for keys that are given twice takes the square of their number.
    const options = { schema: 'failsafe', maxAliasCount: 0, uniqueKeys: false, prettyErrors: false } as const
    value = parse(content, { ...options, logLevel: 'error' })
  } catch (error) {
    // Deep nesting ends in an overflow of the stack, which is an error like any other.
    throw new WingetFault(`${subject} is not valid YAML: ${toLine((error as Error).message, 300)}`)
  }
  if (!isMap(value)) throw new WingetFault(`${subject} has no properties.`)
  return value
}

const isMap = (value: unknown): value is YamlMap => typeof value === 'object' && value !== null && !Array.isArray(value)

/** A property as one line; undefined if it is absent, empty or something else. A longer text is not a text of a manifest. */
export function textIn(map: YamlMap, name: string, maxLength = 1_000): string | undefined {
  const value = Object.hasOwn(map, name) ? map[name] : undefined
  if (typeof value !== 'string' || value.length > maxLength) return undefined
  return value.trim() || undefined
}

export function mapIn(map: YamlMap, name: string): YamlMap {
  const value = Object.hasOwn(map, name) ? map[name] : undefined
  return isMap(value) ? value : {}
}

const maxItems = 1_000

export function listIn(map: YamlMap, name: string): readonly YamlValue[] {
  const value = Object.hasOwn(map, name) ? map[name] : undefined
  return Array.isArray(value) ? (value as readonly YamlValue[]).slice(0, maxItems) : []
}

export const mapsIn = (map: YamlMap, name: string) => listIn(map, name).filter(isMap)

export const textsIn = (map: YamlMap, name: string) =>
  listIn(map, name).filter((item): item is string => typeof item === 'string')

export const numbersIn = (map: YamlMap, name: string) => textsIn(map, name).flatMap(toReturnCode)

/** Windows shows the same code as a signed or as an unsigned number. */
export function toReturnCode(text: string): number[] {
  const number = /^-?\d{1,10}$/.test(text) ? Number(text) : Number.NaN
  return number >= -(2 ** 31) && number < 2 ** 32 ? [number] : []
}
