import { compareRpmVersions } from '../repositories/rpm-versions.ts'
import { isAdvisoryId } from './advisory.ts'
import { alreadyEarlier, laterInstalled, noVersionBefore, type RollbackNeed, type RollbackTool } from './roll-back.ts'
import {
  formatNevra,
  type InstalledRpm,
  listInstalled,
  placeOf,
  type RpmPackage,
  shownVersion,
} from './rpm-packages.ts'
import type { RpmPatchTool } from './rpm-patch-tool.ts'
import { withEpoch } from './zypper-output.ts'

/** Rolls back advisories, and updates of packages, to the versions that the history of the tool has recorded. */
export const rpmRollback = ({ rollback: tool }: RpmPatchTool): RollbackTool<RpmPackage> => ({
  async needsOf(keys) {
    const installed = await listInstalled()
    const advised = await tool.packagesOf(keys.filter(isAdvisoryId))
    const needs: RollbackNeed<RpmPackage>[] = []
    for (const key of keys) {
      const named = isAdvisoryId(key) ? (advised.get(key) ?? []) : namedByKey(key)
      needs.push(await needOf(tool, named, installed))
    }
    return needs
  },
  nameOf: ({ name }) => name,
  describe: ({ name, version }) => `${name} ${shownVersion(version)}`,
  plan: (targets) => tool.plan(targets),
  downgrade: (targets) => tool.downgrade(targets),
  async findLeft(targets) {
    const present = new Set((await listInstalled()).map(formatNevra))
    return targets.filter((target) => !present.has(formatNevra(target)))
  },
})

/** A package in the version of a patch. Advisories of zypper name no architecture. */
type Named = { name: string; version: string; architecture?: string }

const isPlaceOf = (installed: RpmPackage, { name, architecture }: Named) =>
  name === installed.name && (architecture ?? installed.architecture) === installed.architecture

/** Of an update that no advisory names: `loose 1.1-1`. */
function namedByKey(key: string): Named[] {
  const [, name, version] = /^(\S+) (\S+)$/.exec(key) ?? []
  return name === undefined || version === undefined ? [] : [{ name, version: withEpoch(version) }]
}

async function needOf(
  tool: RpmPatchTool['rollback'],
  named: readonly Named[],
  installed: readonly InstalledRpm[],
): Promise<RollbackNeed<RpmPackage>> {
  if (named.length === 0)
    return {
      state: 'impossible',
      reason: 'The repositories of this computer do not say any more which packages it has brought.',
    }
  const brought = installed.filter((one) =>
    named.some((other) => isPlaceOf(one, other) && one.version === other.version),
  )
  const later = installed.find((one) =>
    named.some((other) => isPlaceOf(one, other) && compareRpmVersions(one.version, other.version) > 0),
  )
  if (later) return { state: 'impossible', reason: laterInstalled(later.name, shownVersion(later.version)) }
  if (brought.length === 0) return { state: 'gone', reason: 'Earlier versions of its packages are installed already.' }
  const places = brought.map(placeOf)
  // Of a kernel, several versions are installed side by side: the earlier one is there, and the computer can start it.
  const several = brought.find((one, at) => places.indexOf(placeOf(one)) !== at)
  if (several) return { state: 'impossible', reason: `Several versions of ${several.name} are installed side by side.` }
  const targets: RpmPackage[] = []
  for (const one of brought) {
    const before = await tool.versionBefore(one)
    if (before === null) return { state: 'impossible', reason: noVersionBefore(shownVersion(one.version)) }
    if (compareRpmVersions(before, one.version) >= 0)
      return { state: 'impossible', reason: alreadyEarlier(shownVersion(one.version), shownVersion(before)) }
    const target = { name: one.name, architecture: one.architecture, version: before }
    const obstacle = await tool.findObstacle(target)
    if (obstacle !== undefined) return { state: 'impossible', reason: obstacle }
    targets.push(target)
  }
  return { state: 'needed', targets }
}
