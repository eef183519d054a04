/** Placeholders that hardware vendors use for missing values. */
const placeholder =
  /^(none|n\/a|unknown|not (specified|available|applicable|present|provided)|default string|to be filled by o\.?e\.?m\.?|system (product name|manufacturer|version|serial number)|o\.?e\.?m\.?|0+|x+|-+|\.+)$/i

/** Trims and truncates a text for the inventory; null if it is empty. */
export function cleanText(text: string | null | undefined, maxLength = 255): string | null {
  const clean = (text ?? '').replaceAll('\0', '').toWellFormed().trim()
  const short = clean.length > maxLength ? [...clean].slice(0, maxLength).join('').trim() : clean
  return short === '' ? null : short
}

/** Cleans a firmware text; null if it is a placeholder. */
export function firmwareText(text: string | null | undefined, maxLength = 255): string | null {
  const value = cleanText(text, maxLength)
  return value === null || placeholder.test(value) ? null : value
}

/** Rounds to a non-negative 32-bit integer, or null. */
export function whole(value: number | string | null | undefined): number | null {
  if (value === null || value === undefined || value === '') return null
  const number = Math.round(Number(value))
  return Number.isFinite(number) && number >= 0 && number < 2 ** 31 ? number : null
}

/** Parses lines of `name: value` or `NAME=value` and removes quotes. */
export function fieldsOf(text: string | undefined, separator: ':' | '='): Record<string, string | undefined> {
  const lines = (text ?? '').split('\n').flatMap((line) => {
    const place = line.indexOf(separator)
    if (place < 1) return []
    const value = line.slice(place + 1).trim()
    return [[line.slice(0, place).trim(), /^(["']).*\1$/.test(value) ? value.slice(1, -1) : value]]
  })
  return Object.fromEntries(lines)
}
