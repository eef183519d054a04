import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { ExpectedError } from '../../../expected-error.ts'
import type { WorkPatch } from '../../../protocol.ts'
import type { PatchInstallation, PatchSource } from '../../reports.ts'
import { productName } from '../operating-system.ts'
import { readSystem, type System } from '../repositories/family.ts'
import { inRoot } from '../repositories/system-root.ts'
import { findTool } from '../repositories/tools.ts'
import { toPatchScan } from './advisory.ts'
import { apt } from './apt-access.ts'
import { aptInstaller, refreshAptLists } from './apt-install.ts'
import { aptRollback } from './apt-roll-back.ts'
import { scanPatches } from './apt-scan.ts'
import { dnfPatches } from './dnf-patches.ts'
import { repairDpkg } from './dpkg-state.ts'
import { installReleased, type PatchInstaller } from './install-released.ts'
import { findRestartReason } from './restart.ts'
import { rollBack } from './roll-back.ts'
import { rpmInstaller } from './rpm-installer.ts'
import type { RpmPatchTool } from './rpm-patch-tool.ts'
import { rpmRollback } from './rpm-roll-back.ts'
import { zypperPatches } from './zypper-patches.ts'

/** The patches of this computer, with the tool of its distribution. */
export const linuxPatches: PatchSource = {
  unavailable: 'it has no apt, dnf, yum or zypper',
  async scan(known) {
    const system = await readSystem()
    if (system.family === 'deb') return scanPatches(apt, await productName(), known)
    const tool = findRpmPatchTool(system)
    if (!tool) return undefined
    const scannedAt = new Date()
    const patches = await tool.list(known, true)
    return toPatchScan(patches, await productName(), { scannedAt, definitionAt: await newestMetadata(tool) })
  },
  async refresh() {
    const system = await readSystem()
    if (system.family === 'deb') await refreshAptLists()
    else await requireRpmPatchTool(system).refresh()
  },
  async install(patches, onProgress) {
    const system = await readSystem()
    if (system.family !== 'deb')
      return installWith(rpmInstaller(requireRpmPatchTool(system)), patches, { system, onProgress })
    await repairDpkg(onProgress)
    return installWith(aptInstaller, patches, { system, onProgress })
  },
  async rollBack(keys, onProgress) {
    const system = await readSystem()
    if (system.family === 'deb') await repairDpkg(onProgress)
    const { outcomes, rebootRequired } = await (system.family === 'deb'
      ? rollBack(aptRollback, keys, onProgress)
      : rollBack(rpmRollback(requireRpmPatchTool(system)), keys, onProgress))
    const reason = await findRestartReason(system)
    if (reason !== undefined) onProgress(`A restart is needed: ${reason}`)
    return { outcomes, rebootRequired: rebootRequired || reason !== undefined }
  },
}

async function installWith<T>(
  installer: PatchInstaller<T>,
  patches: readonly WorkPatch[],
  { system, onProgress }: { system: System; onProgress: (line: string) => void },
): Promise<PatchInstallation> {
  const { failures, rebootRequired } = await installReleased(installer, patches, onProgress)
  const reason = await findRestartReason(system)
  if (reason !== undefined) onProgress(`A restart is needed: ${reason}`)
  else if (rebootRequired) onProgress('A restart is needed: a patch asks for it.')
  return { failures, rebootRequired: rebootRequired || reason !== undefined }
}

/** zypper on SUSE, otherwise dnf or yum: as for packages of repositories. */
function findRpmPatchTool({ isSuse }: System): RpmPatchTool | undefined {
  const name = isSuse ? findTool('zypper') : findTool('dnf', 'yum')
  if (name === undefined) return undefined
  return name === 'zypper' ? zypperPatches : dnfPatches(name)
}

function requireRpmPatchTool(system: System): RpmPatchTool {
  const tool = findRpmPatchTool(system)
  if (!tool) throw new ExpectedError(`Muster cannot patch ${system.title}: ${linuxPatches.unavailable}.`)
  return tool
}

/** When the newest metadata of a repository was fetched. */
async function newestMetadata({ cacheFolders }: RpmPatchTool): Promise<Date | undefined> {
  const folders = await Promise.all(
    cacheFolders.map(inRoot).map(async (folder) => {
      const names = await readdir(folder).catch(() => [])
      return names.map((name) => join(folder, name, 'repodata/repomd.xml'))
    }),
  )
  const times = await Promise.all(
    folders.flat().map((path) =>
      stat(path).then(
        ({ mtimeMs }) => mtimeMs,
        () => 0,
      ),
    ),
  )
  const newest = Math.max(0, ...times)
  return newest > 0 ? new Date(newest) : undefined
}
