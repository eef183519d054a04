import { distance } from 'fastest-levenshtein'
import { UsageError } from '../errors.ts'

const maxSimilar = 5

/** More are not collected: nobody reads them, and a list of a service may be endless. */
const maxCollected = 1_000

type Found<T> = { found: T[]; similar: string[] }

/** Searches a list for what matches, and collects similar names in case nothing does. */
export async function searchList<T>(
  list: AsyncIterable<T>,
  isMatch: (one: T) => boolean,
  similarName: (one: T) => string | undefined,
): Promise<Found<T>> {
  const result: Found<T> = { found: [], similar: [] }
  for await (const one of list) {
    const isFound = isMatch(one)
    if (isFound && result.found.length < maxCollected) result.found.push(one)
    const similar = isFound ? undefined : similarName(one)
    if (similar !== undefined && result.similar.length < maxCollected) result.similar.push(similar)
  }
  return result
}

/** The only candidate. None and several are errors: the former names similar ones, if there are any, the latter lists all. */
export function chooseOne<T>(
  candidates: readonly T[],
  kind: string,
  name: string,
  format: (one: T) => string,
  listSimilar: () => readonly string[] = () => [],
): T {
  const [first, ...others] = candidates
  if (first === undefined) throw new UsageError(`No ${kind} is named "${name}".${describeSimilar(listSimilar())}`)
  if (others.length === 0) return first
  const lines = candidates.slice(0, 20).map((one) => `  ${format(one)}`)
  const rest = candidates.length > 20 ? [`  … and ${candidates.length - 20} more`] : []
  throw new UsageError([`"${name}" is ambiguous: ${candidates.length} ${pluralOf(kind)} match.`, ...lines, ...rest])
}

const pluralOf = (kind: string) =>
  kind.endsWith('y') ? `${kind.slice(0, -1)}ies` : `${kind}${kind.endsWith('ch') ? 'es' : 's'}`

/** The name if it is similar to the text. */
export const ifSimilar = (text: string, name: string | null) => similarTo(text, [name ?? ''])[0]

/** Names that contain the text, are contained in it, or differ from it by a typo. */
export function similarTo(name: string, known: readonly string[]): string[] {
  const text = name.toLowerCase()
  const isSimilar = (other: string) => other.includes(text) || text.includes(other) || distance(text, other) <= 2
  return known.filter((one) => one !== '' && isSimilar(one.toLowerCase()))
}

function describeSimilar(names: readonly string[]): string {
  const different = [...new Set(names)].sort()
  if (different.length === 0) return ''
  const more = different.length > maxSimilar ? ', …' : ''
  return ` Similar names: ${different.slice(0, maxSimilar).join(', ')}${more}`
}

/** Whether two names are equal, regardless of case, and of how a system writes umlauts. */
export const isSameName = (a: string | null | undefined, b: string) =>
  a?.normalize().toLowerCase() === b.normalize().toLowerCase()
