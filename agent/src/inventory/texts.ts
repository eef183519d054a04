/** What makers of hardware write when they write nothing. */
const placeholder =
  /^(none|n\/a|unknown|not (specified|available|applicable|present|provided)|default string|to be filled by o\.?e\.?m\.?|system (product name|manufacturer|version|serial number)|o\.?e\.?m\.?|0+|x+|-+|\.+)$/i

/** A text as the inventory takes it: well formed, not too long, and null instead of empty. */
export function told(text: string | null | undefined, longest = 255): string | null {
  const clean = (text ?? '').replaceAll('\0', '').toWellFormed().trim()
  const short = clean.length > longest ? [...clean].slice(0, longest).join('').trim() : clean
  return short === '' ? null : short
}

/** A text out of the firmware. */
export function madeText(text: string | null | undefined, longest = 255): string | null {
  const value = told(text, longest)
  return value === null || placeholder.test(value) ? null : value
}

/** A whole number that fits, or null. */
export function whole(value: number | string | null | undefined): number | null {
  if (value === null || value === undefined || value === '') return null
  const number = Math.round(Number(value))
  return Number.isFinite(number) && number >= 0 && number < 2 ** 31 ? number : null
}

/** The lines `name: value` or `NAME=value` of a text, with the quotes taken off. */
export function fieldsOf(text: string | undefined, separator: ':' | '='): Record<string, string | undefined> {
  const lines = (text ?? '').split('\n').flatMap((line) => {
    const place = line.indexOf(separator)
    if (place < 1) return []
    const value = line.slice(place + 1).trim()
    return [[line.slice(0, place).trim(), /^(["']).*\1$/.test(value) ? value.slice(1, -1) : value]]
  })
  return Object.fromEntries(lines)
}
