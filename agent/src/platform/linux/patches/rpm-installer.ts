import type { PatchTarget, RpmPatch } from './advisory.ts'
import type { PatchInstaller, PatchNeed } from './install-released.ts'
import { newestOf } from './rpm-packages.ts'
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
      const listed = await tool.list(new Set(patches.map(({ key }) => key)))
      const byKey = new Map(listed.map((patch) => [patch.key, patch]))
      return patches.map(({ key }) => needOf(byKey.get(key)))
    },
    namesOf: ({ target }) => [target.name],
    plan: (targets) => call(tool.plan, targets),
    install: (targets) => call(tool.install, targets),
  }
}

function needOf(patch: RpmPatch | undefined): PatchNeed<Target> {
  if (!patch) return { state: 'unneeded', reason: 'nothing that it changes is installed, or no repository has it' }
  if (!patch.isMissing) return { state: 'installed' }
  if (patch.heldBy !== undefined) return { state: 'blocked', reason: `held by ${patch.heldBy}` }
  if (patch.obstacle !== undefined) return { state: 'blocked', reason: patch.obstacle }
  return { state: 'needed', targets: patch.targets.map((target) => ({ patch, target })) }
}
