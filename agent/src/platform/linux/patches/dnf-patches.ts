import { ExpectedError } from '../../../expected-error.ts'
import { dnfBusy } from '../repositories/dnf.ts'
import { readTool, reasonOf, requireRead, runTool, runWhenFree } from '../repositories/tools.ts'
import type { RpmPatch } from './advisory.ts'
import { parseDnfPlan } from './dnf-plan.ts'
import { mayNeedRestart } from './restart.ts'
import { PackagesInUse, unavailable } from './roll-back.ts'
import { parseDnfChange, parseDnfTransactions } from './rpm-history.ts'
import { formatNevra, listInstalled, parseNevra, placeOf, shownVersion } from './rpm-packages.ts'
import type { RpmPatchTool, RpmRollbackTool } from './rpm-patch-tool.ts'
import { type AvailableRpm, installedPatches, packagePatches, targetsFrom } from './rpm-patches.ts'
import { type AdvisedPackage, detailsOfLabel, parseAdvisoryDetails, parseAdvisoryList } from './updateinfo.ts'

/** What dnf has fetched decides: a scan does not depend on the network. */
const cached = ['-q', '-C']
const withoutLocks = ['--disableexcludes=all', '--disableplugin=versionlock']
const lockName = 'versionlock or excludepkgs of dnf'
/** dnf ends if another one runs: Muster waits itself, and says for which program. */
const endsOnLock = '--setopt=exit_on_lock=True'
const backwards = [endsOnLock, '--setopt=install_weak_deps=False', 'downgrade']
/** Of one package, the newest are looked at. */
const maxTransactions = 20
const exactly = [endsOnLock, '--setopt=install_weak_deps=False', '--setopt=best=True', 'upgrade']

/** Patches by the advisories (updateinfo) of repositories, with dnf 4, which Red Hat Enterprise Linux 8 and later also call yum. */
export const dnfPatches = (tool: 'dnf' | 'yum'): RpmPatchTool => ({
  cacheFolders: ['/var/cache/dnf'],

  async refresh() {
    const end = await runWhenFree(dnfBusy, tool, ['-y', endsOnLock, 'makecache', '--refresh'])
    if (end.code !== 0) {
      await requireDnf4(tool)
      throw new ExpectedError(`The repositories cannot be read: ${reasonOf(end)}`)
    }
  },

  async list(known, withDetails) {
    const updateinfo = (...words: string[]) => read(tool, [...withoutLocks, 'updateinfo', ...words])
    // dnf prints nothing for repositories without advisories.
    const advised = groupById(parseAdvisoryList(await updateinfo('list', '--all')))
    const available = await listUpdates(tool, withoutLocks)
    const free = available.size > 0 ? await listUpdates(tool, []) : available
    const details =
      withDetails && available.size > 0 ? parseAdvisoryDetails(await updateinfo('info', '--updates')) : new Map()
    const installed = await listInstalled()
    const context = { installed, available, free, lockName }
    const isUpgradable = new Set([...available.values()].map(placeOf))
    const advisories = [...advised].flatMap(([id, { label, packages }]): RpmPatch[] => {
      const found = targetsFrom(
        context,
        packages.filter((one) => isUpgradable.has(placeOf(one))),
      )
      if (found.targets.length === 0) return []
      const restartSuggested = found.targets.some(({ name }) => mayNeedRestart(name))
      const stated = details.get(id) ?? detailsOfLabel(label)
      return [{ key: id, isAdvisory: true, isMissing: true, ...stated, ...found, restartSuggested }]
    })
    const isMissing = new Set(advisories.map(({ key }) => key))
    const isAdvised = new Set([...advised.values()].flatMap(({ packages }) => packages.map(formatNevra)))
    const others = [...available.values()].filter((one) => !isAdvised.has(formatNevra(one)))
    const installedAdvisories = [...advised]
      .filter(([id]) => !isMissing.has(id))
      .map(([id, { label, packages }]) => ({ key: id, packages, ...detailsOfLabel(label) }))
    return [
      ...advisories,
      ...packagePatches(context, others),
      ...installedPatches(installed, installedAdvisories, known),
    ]
  },

  async plan(targets) {
    const { output } = await runTool(tool, ['--assumeno', ...exactly, ...targets.map(formatNevra)], false)
    const plan = parseDnfPlan(output)
    if (!plan) throw new ExpectedError(reasonOf({ code: 1, output }))
    return plan
  },

  async install(targets) {
    const end = await runWhenFree(dnfBusy, tool, ['-y', ...exactly, ...targets.map(formatNevra)])
    if (end.code !== 0) throw new ExpectedError(reasonOf(end))
    return { rebootRequired: false }
  },

  rollback: rollbackWith(tool),
})

const rollbackWith = (tool: 'dnf' | 'yum'): RpmRollbackTool => ({
  async packagesOf(ids) {
    if (ids.length === 0) return new Map()
    const advised = groupById(parseAdvisoryList(await read(tool, [...withoutLocks, 'updateinfo', 'list', '--all'])))
    return new Map(
      ids.flatMap((id) => {
        const found = advised.get(id)
        return found ? [[id, found.packages] as const] : []
      }),
    )
  },

  async versionBefore(installed) {
    const listed = parseDnfTransactions(await read(tool, ['history', 'list', installed.name]))
    for (const id of listed.slice(0, maxTransactions)) {
      const before = parseDnfChange(await read(tool, ['history', 'info', String(id)]), installed)
      if (before !== undefined) return before
    }
    return null
  },

  async findObstacle(target) {
    const wanted = formatNevra(target)
    const query = ['repoquery', '--qf', `${queryFormat}\\n`, wanted]
    const isOffered = async (options: readonly string[]) =>
      (await read(tool, [...options, ...query])).split('\n').some((line) => {
        const found = parseNevra(line.split(' ')[0] ?? '')
        return found !== undefined && formatNevra(found) === wanted
      })
    if (!(await isOffered(withoutLocks))) return unavailable(shownVersion(target.version))
    return (await isOffered([])) ? undefined : `The package is locked by ${lockName}.`
  },

  async plan(targets) {
    const { output } = await runTool(tool, ['--assumeno', ...backwards, ...targets.map(formatNevra)], false)
    const plan = parseDnfPlan(output)
    if (!plan) throw new ExpectedError(`${tool} refuses it: ${reasonOf({ code: 1, output })}`)
    return plan
  },

  async downgrade(targets) {
    const end = await runWhenFree(dnfBusy, tool, ['-y', ...backwards, ...targets.map(formatNevra)])
    if (end.waitedFor !== undefined) throw new PackagesInUse(reasonOf(end))
    if (end.code !== 0) throw new ExpectedError(`${tool} failed: ${reasonOf(end)}`)
    return { rebootRequired: false }
  },
})

async function read(tool: string, args: readonly string[]): Promise<string> {
  const { code, output, errorOutput } = await readTool(tool, [...cached, ...args])
  if (code === 0) return output
  await requireDnf4(tool)
  throw new ExpectedError(`${tool} failed: ${reasonOf({ code, output: errorOutput.trim() || output })}`)
}

/** dnf 5 and yum 3 write something else, and refuse the options. */
async function requireDnf4(tool: string): Promise<void> {
  const version = (await requireRead(tool, ['--version'])).split('\n')[0]?.trim() ?? ''
  if (!/^4\./.test(version))
    throw new ExpectedError(`Patches need dnf 4, and this computer has ${tool} ${version.slice(0, 50)}`)
}

const queried = ['name', 'epoch', 'version', 'release', 'arch'].map((field) => `%{${field}}`)
const queryFormat = `${queried[0]}-${queried[1]}:${queried[2]}-${queried[3]}.${queried[4]} %{size} %{sourcerpm}`

/** All versions that are newer than the installed ones, by their names. */
async function listUpdates(tool: string, options: readonly string[]): Promise<Map<string, AvailableRpm>> {
  const text = await read(tool, [...options, 'repoquery', '--upgrades', '--qf', `${queryFormat}\\n`])
  const found = text.split('\n').flatMap((line) => {
    const [name = '', size, sourceFile = ''] = line.split(' ')
    const update = parseNevra(name)
    if (!update) return []
    const source = parseNevra(sourceFile.replace(/\.rpm$/, ''))
    const sizeBytes = Number.isSafeInteger(Number(size)) && Number(size) > 0 ? Number(size) : undefined
    return [{ ...update, sizeBytes, source: source && { name: source.name, version: source.version } }]
  })
  return new Map(found.map((one) => [formatNevra(one), one]))
}

function groupById(advised: readonly AdvisedPackage[]) {
  const groups = new Map<string, { label: string; packages: AdvisedPackage['package'][] }>()
  for (const { id, label, package: one } of advised) {
    const group = groups.get(id)
    if (group) group.packages.push(one)
    else groups.set(id, { label, packages: [one] })
  }
  return groups
}
