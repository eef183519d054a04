/** A section of an inventory as an agent sends it, or one item of a section. */
export type Entry = Record<string, unknown>

/** Twice as many as are stored of software, the largest list. Of further ones, nothing is read. */
const maxEntries = 10_000
/** Agents send the sections that describe one thing as one entry, or as a list of one. */
const maxSingleEntries = 10

/** The entries of a section, which is a list or a single entry. Takes as long as the list: call it once for each list. */
export function entriesOf(value: unknown): Entry[] {
  return listEntries(value, maxEntries)
}

/** The first entry of a section. */
export function entryOf(value: unknown): Entry {
  return listEntries(value, maxSingleEntries)[0] ?? {}
}

function listEntries(value: unknown, max: number): Entry[] {
  if (Array.isArray(value)) return value.slice(0, max).filter(isEntry)
  return isEntry(value) ? [value] : []
}

function isEntry(value: unknown): value is Entry {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: the database cannot store these characters, and nobody can read them.
const controlCharacters = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/g

/** Nearly all texts match this and need no cleaning. */
const cleanText = /^[!-~](?:[ -~]*[!-~])?$/

/** Blanks and control characters that may surround a text. What follows after more of them is not read. */
const maxBlanks = 1000

/** A text that the database can store; null for an empty or missing one. */
export function toText(value: unknown, maxLength = 255): string | null {
  const raw = Array.isArray(value) ? value[0] : value
  if (typeof raw === 'number' || typeof raw === 'boolean') return String(raw)
  if (typeof raw !== 'string') return null
  if (raw.length <= maxLength && cleanText.test(raw)) return raw
  const text = raw
    .slice(0, maxLength + maxBlanks)
    .toWellFormed()
    .replace(controlCharacters, '')
    .trim()
  if (text === '') return null
  return text.length <= maxLength ? text : text.slice(0, maxLength).toWellFormed().trim()
}

const maxInt32 = 2 ** 31 - 1

/** A whole number that is not negative and fits the database; otherwise null. */
export function toWholeNumber(value: unknown): number | null {
  const number = toNumber(value)
  if (number === null) return null
  const rounded = Math.round(number)
  return rounded >= 0 && rounded <= maxInt32 ? rounded : null
}

export function toNumber(value: unknown): number | null {
  const text = toText(value, 50)
  const [digits] = text === null ? [] : (/^-?\d+(\.\d+)?/.exec(text) ?? [])
  return digits === undefined ? null : Number(digits)
}

/** Agents spell booleans in several ways; null for anything else. */
export function toBoolean(value: unknown): boolean | null {
  const text = toText(value, 20)?.toLowerCase()
  if (text === undefined) return null
  if (['1', 'yes', 'true', 'on', 'enabled'].includes(text)) return true
  return ['0', 'no', 'false', 'off', 'disabled'].includes(text) ? false : null
}

/** The same date if the database and JSON can have it: years with four digits. */
export function toStorableDate(date: Date): Date | null {
  const year = date.getUTCFullYear()
  return year >= 1 && year <= 9999 ? date : null
}

/** Joins distinct texts with commas. */
export function joinTexts(texts: readonly (string | null)[], maxLength = 1000): string | null {
  return toText([...new Set(texts.filter((text) => text !== null))].join(', '), maxLength)
}
