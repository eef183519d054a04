import { UsageError } from '../errors.ts'

const maxSimilar = 5

/** The only candidate. None and several are errors: the former names similar ones, if there are any, the latter lists all. */
export function chooseOne<T>(
  candidates: readonly T[],
  kind: string,
  name: string,
  format: (one: T) => string,
  similar: readonly string[] = [],
): T {
  const [first, ...others] = candidates
  if (first === undefined) throw new UsageError(`No ${kind} is named "${name}".${describeSimilar(similar)}`)
  if (others.length === 0) return first
  const lines = candidates.slice(0, 20).map((one) => `  ${format(one)}`)
  const rest = candidates.length > 20 ? [`  … and ${candidates.length - 20} more`] : []
  throw new UsageError([`"${name}" is ambiguous: ${candidates.length} ${kind}s match.`, ...lines, ...rest].join('\n'))
}

function describeSimilar(names: readonly string[]): string {
  const different = [...new Set(names)].sort()
  if (different.length === 0) return ''
  const more = different.length > maxSimilar ? ', …' : ''
  return ` Similar names: ${different.slice(0, maxSimilar).join(', ')}${more}`
}

/** Whether two names are equal, regardless of case. */
export const isSameName = (a: string | null | undefined, b: string) => a?.toLowerCase() === b.toLowerCase()
