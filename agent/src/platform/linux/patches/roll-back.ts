import { ExpectedError, messageOf } from '../../../expected-error.ts'
import type { PatchRollbacks, RollbackOutcome } from '../../reports.ts'
import type { PatchPlan } from './install-released.ts'

/** What the rollback of an installed patch needs on this computer. `reason` is a sentence for people. */
export type RollbackNeed<T> =
  | { state: 'needed'; targets: readonly T[] }
  /** `gone`: the patch is not installed any more. `impossible`: this computer cannot roll it back. */
  | { state: 'gone' | 'impossible'; reason: string }

/** How a package manager brings back the versions before. */
export type RollbackTool<T> = {
  needsOf(keys: readonly string[]): Promise<RollbackNeed<T>[]>
  /** The name under which a plan lists the package. */
  nameOf(target: T): string
  /** The package and the version that is brought back, for people. */
  describe(target: T): string
  /** Simulates the change. Throws an ExpectedError with the reason if the tool refuses it. */
  plan(targets: readonly T[]): Promise<PatchPlan>
  /** Throws an ExpectedError with the reason, and PackagesInUse if another program had the packages all the time. */
  downgrade(targets: readonly T[]): Promise<{ rebootRequired: boolean }>
  /** Of these, what has not the version before. */
  findLeft(targets: readonly T[]): Promise<readonly T[]>
}

/** Nothing is wrong with the patch: the rollback is to be tried again another time. */
export class PackagesInUse extends ExpectedError {
  override name = 'PackagesInUse'
}

/**
 * Brings back the versions before of exactly these patches, all at once because they may depend on each other, or else one by one.
 * Nothing else that is installed changes. Has no outcome for a patch that is to be tried again.
 */
export async function rollBack<T>(
  tool: RollbackTool<T>,
  keys: readonly string[],
  onProgress: (line: string) => void,
): Promise<PatchRollbacks> {
  const needs = await tool.needsOf(keys)
  const groups = needs.flatMap((need, at) => (need.state === 'needed' ? [{ at, targets: need.targets }] : []))
  const reasons = new Map<number, string>()
  const postponed = new Set<number>()
  let rebootRequired = false
  const attempt = async (targets: readonly T[]): Promise<string | undefined> => {
    const { changed } = await tool.plan(targets)
    const wanted = new Set(targets.map((target) => tool.nameOf(target)))
    const beyond = [...new Set(changed)].filter((name) => !wanted.has(name))
    if (beyond.length > 0)
      return `Without it, these packages would be changed or removed: ${beyond.slice(0, 20).join(', ')}.`
    const end = await tool.downgrade(targets)
    rebootRequired ||= end.rebootRequired
    return undefined
  }
  const tryGroups = async (some: readonly { at: number; targets: readonly T[] }[]): Promise<boolean> => {
    const reason = await attempt(some.flatMap(({ targets }) => targets)).catch((error: unknown) => {
      if (error instanceof PackagesInUse) for (const { at } of some) postponed.add(at)
      return messageOf(error)
    })
    for (const { at } of some) {
      if (reason === undefined) reasons.delete(at)
      else reasons.set(at, reason)
    }
    return reason === undefined || postponed.size > 0
  }
  if (groups.length > 0 && !(await tryGroups(groups)) && groups.length > 1)
    for (const group of groups) await tryGroups([group])
  const left = new Set(await tool.findLeft(groups.flatMap(({ targets }) => targets)))
  const outcomes = keys.flatMap((key, at): RollbackOutcome[] => {
    const need = needs[at]
    if (!need) return []
    if (need.state !== 'needed')
      return [{ key, outcome: need.state === 'gone' ? 'RolledBack' : 'Refused', reason: need.reason }]
    if (need.targets.every((target) => !left.has(target)))
      return [{ key, outcome: 'RolledBack', reason: `Now installed: ${need.targets.map(tool.describe).join(', ')}.` }]
    const reason = reasons.get(at) ?? 'The tool has not changed the version.'
    if (postponed.has(at)) onProgress(`Not rolled back yet: ${key} (${reason})`)
    return postponed.has(at) ? [] : [{ key, outcome: 'Refused', reason }]
  })
  for (const { key, outcome, reason } of outcomes)
    onProgress(`${outcome === 'RolledBack' ? 'Rolled back' : 'NOT rolled back'}: ${key} (${reason})`)
  return { rebootRequired, outcomes }
}

/** For a computer that has no version to go back to. */
export const noVersionBefore = (version: string) =>
  `This computer has no record of a version before ${version}: it was installed in this version, or the logs do not reach back so far.`

export const laterInstalled = (name: string, version: string) =>
  `${name} is installed in a later version, ${version}, which another patch has brought.`

export const alreadyEarlier = (version: string, before: string) =>
  `The last change on this computer was a downgrade from ${before} to ${version}: there is no earlier version to go back to.`

export const unavailable = (before: string) =>
  `The version before it, ${before}, is no longer in the repositories of this computer, nor in its cache.`
