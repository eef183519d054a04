export type Redact = (text: string) => string

const mark = '***'
/** A line of a longer secret is a secret, too, unless it is so short that many texts have it. */
const shortestLine = 8

/** What must not be seen of some secret values: the values, and the lines of those that have several. */
export function needlesOf(secrets: readonly string[]): string[] {
  const lines = secrets.flatMap((secret) => secret.split(/\r?\n/)).map((line) => line.trim())
  const all = [...secrets, ...secrets.map((secret) => secret.trim()), ...lines.filter((l) => l.length >= shortestLine)]
  return [...new Set(all)].filter((needle) => needle !== '')
}

/** The text from the given position on, without anything of a needle that reaches into it. */
export function withoutNeedles(text: string, needles: readonly string[], from = 0): string {
  const hidden = needles.flatMap((needle) => placesOf(text, needle)).sort((a, b) => a.start - b.start)
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
  const needles = needlesOf(secrets)
  return (text) => withoutNeedles(text, needles)
}

function placesOf(text: string, needle: string): { start: number; end: number }[] {
  const places = []
  for (let start = text.indexOf(needle); start !== -1; start = text.indexOf(needle, start + 1))
    places.push({ start, end: start + needle.length })
  return places
}
