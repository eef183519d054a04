import { messageOf } from '../../../expected-error.ts'
import type { WorkPatch } from '../../../protocol.ts'
import type { PatchInstallation } from '../../reports.ts'

/** What a released patch needs on this computer. */
export type PatchNeed<T> =
  | { state: 'needed'; targets: readonly T[] }
  | { state: 'installed' }
  /** `reason` ends the line that names the patch. Another patch may bring the targets of a blocked one. */
  | { state: 'unneeded' | 'blocked'; reason: string; targets: readonly T[] }

/** What an installation would change of the packages that are installed: their names. */
export type PatchPlan = { changed: readonly string[] }

export type PatchInstaller<T> = {
  /** What each patch needs now, in the order of the patches. */
  needsOf(patches: readonly WorkPatch[]): Promise<PatchNeed<T>[]>
  /** The names under which a plan lists what a target changes. */
  namesOf(target: T): readonly string[]
  plan(targets: readonly T[]): Promise<PatchPlan>
  install(targets: readonly T[]): Promise<{ rebootRequired: boolean }>
  /** Of these, what is not installed now. */
  findLacking(targets: readonly T[]): Promise<readonly T[]>
}

/**
 * Installs exactly the released patches, all at once because they may depend on each other. If that fails, they are installed one
 * by one: a patch that cannot be installed does not stop the others. What else is installed is neither changed nor removed.
 */
export async function installReleased<T>(
  installer: PatchInstaller<T>,
  patches: readonly WorkPatch[],
  onProgress: (line: string) => void,
): Promise<PatchInstallation> {
  const needs = await installer.needsOf(patches)
  const groups = needs.flatMap((need, at) => (need.state === 'needed' ? [{ at, targets: need.targets }] : []))
  const released = new Set(groups.flatMap(({ targets }) => targets.flatMap((one) => installer.namesOf(one))))
  const reasons = new Map<number, string>()
  let rebootRequired = false
  const attempt = async (targets: readonly T[]): Promise<string | undefined> => {
    try {
      const { changed } = await installer.plan(targets)
      const beyond = [...new Set(changed)].filter((name) => !released.has(name))
      if (beyond.length > 0) return `it needs what is not released: ${beyond.slice(0, 20).join(', ')}`
      const end = await installer.install(targets)
      rebootRequired ||= end.rebootRequired
      return undefined
    } catch (error) {
      return messageOf(error)
    }
  }
  if (groups.length > 0) {
    const problem = await attempt(groups.flatMap(({ targets }) => targets))
    if (problem !== undefined && groups.length > 1) onProgress(`Not all at once: ${problem}`)
    for (const { at, targets } of problem === undefined ? [] : groups) {
      const reason = groups.length === 1 ? problem : await attempt(targets)
      if (reason !== undefined) reasons.set(at, reason)
    }
  }
  const all = needs.flatMap((need) => ('targets' in need ? need.targets : []))
  const lacking = new Set(groups.length > 0 ? await installer.findLacking(all) : all)
  const failures = patches.flatMap(({ key }, at) => {
    const need = needs[at]
    if (need?.state === 'unneeded') onProgress(`Not needed: ${key} (${need.reason})`)
    else if (isInstalled(need, lacking)) onProgress(`Installed: ${key}`)
    else {
      const blocked = need?.state === 'blocked' ? need.reason : undefined
      return [{ key, reason: blocked ?? reasons.get(at) ?? 'the tool has not installed it' }]
    }
    return []
  })
  return { rebootRequired, failures }
}

function isInstalled<T>(need: PatchNeed<T> | undefined, lacking: ReadonlySet<T>): boolean {
  if (!need || need.state === 'installed') return true
  return need.targets.length > 0 && !need.targets.some((target) => lacking.has(target))
}
