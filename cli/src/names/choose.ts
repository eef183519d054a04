import { UsageError } from '../errors.ts'

/** The only candidate. None and several are errors; the latter lists them. */
export function chooseOne<T>(candidates: readonly T[], kind: string, name: string, format: (one: T) => string): T {
  const [first, ...others] = candidates
  if (first === undefined) throw new UsageError(`No ${kind} is named "${name}".`)
  if (others.length === 0) return first
  const lines = candidates.slice(0, 20).map((one) => `  ${format(one)}`)
  const rest = candidates.length > 20 ? [`  … and ${candidates.length - 20} more`] : []
  throw new UsageError([`"${name}" is ambiguous: ${candidates.length} ${kind}s match.`, ...lines, ...rest].join('\n'))
}

/** Whether two names are equal, regardless of case. */
export const isSameName = (a: string | null | undefined, b: string) => a?.toLowerCase() === b.toLowerCase()
