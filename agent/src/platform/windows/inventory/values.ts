import { cleanText, whole } from '../../common/texts.ts'
import type { RegistryValue } from '../registry-value.ts'
import type { WmiValue } from '../wmi/wmi.ts'

type Value = WmiValue | RegistryValue | undefined

export function textOf(value: Value, maxLength?: number): string | null {
  return typeof value === 'string' ? cleanText(value, maxLength) : null
}

/** Numbers of 64 bits are texts. */
export function numberOf(value: Value): number | null {
  if (typeof value === 'number') return value
  if (typeof value === 'bigint') return Number(value)
  return typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : null
}

/** A whole number that the server accepts; Windows reports 0xFFFFFFFF and similar for unknown ones. */
export function wholeOf(value: Value): number | null {
  return whole(numberOf(value))
}

/** WMI passes unsigned numbers of 32 bits as signed ones. */
export function unsignedOf(value: Value): number | null {
  const number = numberOf(value)
  return number !== null && number < 0 ? number >>> 0 : number
}

export function flagOf(value: Value): boolean | null {
  return typeof value === 'boolean' ? value : null
}

export function textsOf(value: Value): string[] {
  if (!Array.isArray(value)) return []
  return value.flatMap((item) => (typeof item === 'string' && item.trim() !== '' ? [item.trim()] : []))
}

export function listed(texts: readonly string[], maxLength = 1000): string | null {
  return cleanText([...new Set(texts)].join(', '), maxLength)
}

/** Characters as numbers, padded with zeros: how WMI passes the texts of monitors. */
export function charactersOf(value: Value): string | null {
  if (!Array.isArray(value)) return null
  const codes = value.flatMap((item) => (typeof item === 'number' && item > 0 ? [item] : []))
  return cleanText(String.fromCharCode(...codes))
}

const wmiDate = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)\.\d{6}([+-])(\d{3})$/

/** A date of WMI: `20260314092653.000000+060`, with the difference to UTC in minutes. */
export function dateOf(value: Value): Date | null {
  const [, year, month, day, hour, minute, second, sign, offset] =
    wmiDate.exec(typeof value === 'string' ? value : '') ?? []
  if (!year) return null
  const local = Date.UTC(Number(year), Number(month) - 1, Number(day), Number(hour), Number(minute), Number(second))
  return new Date(local - (sign === '-' ? -1 : 1) * Number(offset) * 60_000)
}

export const byText = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)
