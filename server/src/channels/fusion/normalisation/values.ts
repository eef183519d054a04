/** A section of an inventory as an agent sends it, or one entry of it. */
export type Entry = Record<string, unknown>

/** The entries of a section: one that stands alone, or a list. */
export function entriesOf(value: unknown): Entry[] {
  if (Array.isArray(value)) return value.filter(isEntry)
  return isEntry(value) ? [value] : []
}

export function entryOf(value: unknown): Entry {
  return entriesOf(value)[0] ?? {}
}

function isEntry(value: unknown): value is Entry {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: what the database cannot store, and what nobody can read.
const unreadable = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/g

/** Nearly all texts are like this: nothing has to be taken from them. */
const plain = /^[!-~](?:[ -~]*[!-~])?$/

/** A text that can be stored, at most so long; null where there is none. */
export function told(value: unknown, maxLength = 255): string | null {
  const raw = Array.isArray(value) ? value[0] : value
  if (typeof raw === 'number' || typeof raw === 'boolean') return String(raw)
  if (typeof raw !== 'string') return null
  if (raw.length <= maxLength && plain.test(raw)) return raw
  const text = raw.toWellFormed().replace(unreadable, '').trim()
  if (text === '') return null
  return text.length <= maxLength ? text : text.slice(0, maxLength).toWellFormed().trim()
}

const largest = 2 ** 31 - 1

/** A whole number that is not negative, and that the database can store. */
export function whole(value: unknown): number | null {
  const number = numberOf(value)
  if (number === null) return null
  const rounded = Math.round(number)
  return rounded >= 0 && rounded <= largest ? rounded : null
}

export function numberOf(value: unknown): number | null {
  const text = told(value, 50)
  const [digits] = text === null ? [] : (/^-?\d+(\.\d+)?/.exec(text) ?? [])
  return digits === undefined ? null : Number(digits)
}

/** The words that agents have for yes and no. */
export function yesNo(value: unknown): boolean | null {
  const text = told(value, 20)?.toLowerCase()
  if (text === undefined) return null
  if (['1', 'yes', 'true', 'on', 'enabled'].includes(text)) return true
  return ['0', 'no', 'false', 'off', 'disabled'].includes(text) ? false : null
}

/** Several texts in one, each of them once. */
export function listed(texts: readonly (string | null)[], maxLength = 1000): string | null {
  return told([...new Set(texts.filter((text) => text !== null))].join(', '), maxLength)
}
