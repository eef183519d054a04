export type Redact = (text: string) => string

const mark = '***'
/** A line of a secret is redacted too, unless it is so short that it occurs in ordinary text. */
const minLineLength = 8

/** The texts to redact: the secret values, and the lines of values with several lines. */
export function toNeedles(secrets: readonly string[]): string[] {
  const lines = secrets.flatMap((secret) => secret.split(/\r?\n/)).map((line) => line.trim())
  const all = [...secrets, ...secrets.map((secret) => secret.trim()), ...lines.filter((l) => l.length >= minLineLength)]
  return [...new Set(all)].filter((needle) => needle !== '')
}

/** Returns the text from the given position on, with every needle that overlaps it replaced by a mark. */
export function redactNeedles(text: string, needles: readonly string[], from = 0): string {
  const hidden = needles.flatMap((needle) => findAll(text, needle)).sort((a, b) => a.start - b.start)
  let result = ''
  let position = from
  for (const { start, end } of hidden) {
    if (end <= position) continue
    if (start >= position) result += text.slice(position, start) + mark
    else if (position === from) result += mark
    position = end
  }
  return result + text.slice(position)
}

export function redactor(secrets: readonly string[]): Redact {
  const needles = toNeedles(secrets)
  return (text) => redactNeedles(text, needles)
}

function findAll(text: string, needle: string): { start: number; end: number }[] {
  const places = []
  for (let start = text.indexOf(needle); start !== -1; start = text.indexOf(needle, start + 1))
    places.push({ start, end: start + needle.length })
  return places
}
