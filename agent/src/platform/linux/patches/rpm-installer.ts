import { compareRpmVersions } from '../repositories/rpm-versions.ts'
import type { PatchTarget, RpmPatch } from './advisory.ts'
import type { PatchInstaller, PatchNeed } from './install-released.ts'
import { listInstalled, newestInstalled, newestOf } from './rpm-packages.ts'
import type { RpmPatchTool } from './rpm-patch-tool.ts'

type Target = { patch: RpmPatch; target: PatchTarget }

/** Installs the versions that the patches name. Of two patches for the same package, the newer one counts. */
export const rpmInstaller = (tool: RpmPatchTool): PatchInstaller<Target> => {
  const call = <T>(use: (targets: PatchTarget[], keys: string[]) => Promise<T>, chosen: readonly Target[]) => {
    const advisories = chosen.filter(({ patch }) => patch.isAdvisory)
    return use(newestOf(chosen.map(({ target }) => target)), [...new Set(advisories.map(({ patch }) => patch.key))])
  }
  return {
    async needsOf(patches) {
      const listed = await tool.list(new Set(patches.map(({ key }) => key)), false)
      const byKey = new Map(listed.map((patch) => [patch.key, patch]))
      return patches.map(({ key }) => needOf(byKey.get(key)))
    },
    namesOf: ({ target }) => [target.name],
    plan: (targets) => call(tool.plan, targets),
    install: (targets) => call(tool.install, targets),
    async findLacking(targets) {
      const installedOf = newestInstalled(await listInstalled())
      return targets.filter(({ target }) => {
        const installed = installedOf(target)
        return installed !== undefined && compareRpmVersions(installed.version, target.version) < 0
      })
    },
  }
}

function needOf(patch: RpmPatch | undefined): PatchNeed<Target> {
  if (!patch)
    return { state: 'unneeded', reason: 'nothing that it changes is installed, or no repository has it', targets: [] }
  if (!patch.isMissing) return { state: 'installed' }
  const targets = patch.targets.map((target) => ({ patch, target }))
  const reason = patch.lockedBy === undefined ? patch.obstacle : `locked by ${patch.lockedBy}`
  return reason === undefined ? { state: 'needed', targets } : { state: 'blocked', reason, targets }
}
