import { CatalogCommandError } from './catalog-command-error.ts'
import { formatCount } from './format-count.ts'

/** What is known about the consent to removals. */
export type Removals = {
  /** Any number was confirmed beforehand. */
  isConfirmed?: boolean
  /** Exactly this number was confirmed beforehand. */
  expectedRemovals?: number | undefined
  /** Asks a person. Undefined if nobody can answer. */
  ask?: ((question: string) => Promise<string>) | undefined
}

/** Returns the number of removals that are confirmed. People confirm them by typing their number. */
export async function confirmRemovals(
  removed: number,
  { isConfirmed, expectedRemovals, ask }: Removals,
): Promise<number> {
  if (removed === 0) return 0
  const objects = formatCount(removed, 'object')
  if (expectedRemovals !== undefined && expectedRemovals !== removed)
    throw new CatalogCommandError(`${objects} would be removed, not ${expectedRemovals}. Nothing was applied.`)
  if (isConfirmed || expectedRemovals !== undefined) return removed
  if (!ask)
    throw new CatalogCommandError(
      `${objects} would be removed: repeat with --expect-removals ${removed}, or with --yes for any number.`,
    )
  const answer = await ask(`${objects} will be removed. Type ${removed} to continue: `)
  if (answer.trim() !== String(removed)) throw new CatalogCommandError('Nothing was applied.')
  return removed
}
