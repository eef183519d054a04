import { ExpectedError } from '../../../expected-error.ts'
import { inRoot } from '../repositories/system-root.ts'
import { readWhenFree, reasonOf, runWhenFree, type ToolEnd } from '../repositories/tools.ts'
import { zypperBusy } from '../repositories/zypper.ts'
import { isAdvisoryId, isCve, type RpmPatch } from './advisory.ts'
import { readRotatedLogs } from './package-logs.ts'
import { PackagesInUse, unavailable } from './roll-back.ts'
import { findZyppVersionBefore } from './rpm-history.ts'
import { formatNevra, listInstalled, type RpmPackage, shownVersion } from './rpm-packages.ts'
import type { RpmPatchTool } from './rpm-patch-tool.ts'
import { type AvailableRpm, installedPatches, packagePatches, type RpmContext, targetsFrom } from './rpm-patches.ts'
import {
  parseZypperConflicts,
  parseZypperLocks,
  parseZypperPackages,
  parseZypperPlan,
  parseZypperUpdates,
  withEpoch,
  type ZypperUpdate,
  zypperProblem,
} from './zypper-output.ts'

const quiet = ['--non-interactive', '--no-refresh']
const installing = ['install', '--no-recommends', '--auto-agree-with-licenses']
const backwards = [...installing, '--oldpackage']
/** Exit codes that report something beside success: a restart must follow; zypper itself was updated; a repository was skipped. */
const [rebootCode, restartCode, skippedCode] = [102, 103, 106]
const isSuccess = (code: number | null) => code === 0 || code === rebootCode || code === skippedCode
/** In one command line. */
const maxNames = 200

/** Patches of SUSE, as its repositories publish them. */
export const zypperPatches: RpmPatchTool = {
  cacheFolders: ['/var/cache/zypp/raw'],

  async refresh() {
    const end = await runWhenFree(zypperBusy, 'zypper', ['--non-interactive', 'refresh'])
    if (!isSuccess(end.code)) throw new ExpectedError(`The repositories cannot be read: ${reasonOf(end)}`)
  },

  async list(known) {
    const published = parseZypperUpdates(await read('list-patches', '--all')).filter(({ name }) => isAdvisoryId(name))
    const missing = published.filter(({ status }) => status === 'needed' || status === 'unwanted')
    const required = await requiredBy(missing.map(({ name }) => name))
    const locks = parseZypperLocks(await read('locks', '--solvables'))
    const updates = await packageUpdates(published)
    const names = [...[...required.values()].flat(), ...updates].map(({ name }) => name)
    const context = await contextOf([...new Set(names)], locks)
    return [
      ...missing.flatMap((patch) => missingPatches(patch, { required, context, locks })),
      ...packagePatches(context, updates),
      ...installedPatches(context.installed, [], known),
      ...appliedPatches(published, known),
    ]
  },

  async plan(targets, keys) {
    const end = await readWhenFree(zypperBusy, 'zypper', [
      '--xmlout',
      ...quiet,
      ...installing,
      '--dry-run',
      ...wordsOf(targets, keys),
    ])
    const plan = parseZypperPlan(end.output)
    if (!plan || end.waitedFor !== undefined) throw new ExpectedError(problemOf(end))
    return plan
  },

  async install(targets, keys) {
    const args = [...quiet, ...installing, ...wordsOf(targets, keys)]
    let end = await runWhenFree(zypperBusy, 'zypper', args)
    // It has updated itself, and leaves the rest to its new version.
    if (end.code === restartCode) end = await runWhenFree(zypperBusy, 'zypper', args)
    if (!isSuccess(end.code) && end.code !== restartCode) throw new ExpectedError(reasonOf(end))
    return { rebootRequired: end.code === rebootCode }
  },

  rollback: {
    packagesOf: (ids) => requiredBy(ids),

    async versionBefore(installed) {
      let text = ''
      // A version before may be in an older file than the present one.
      for await (const log of readRotatedLogs(inRoot('/var/log/zypp/history'))) {
        text = `${log}\n${text}`
        const before = findZyppVersionBefore(text, installed)
        if (before) return before
      }
      return null
    },

    async findObstacle({ name, version, ...target }) {
      const wanted = formatNevra({ name, version, ...target })
      const found = parseZypperPackages(await read('search', '--details', '--match-exact', '-t', 'package', name)).some(
        (one) => !one.isInstalled && formatNevra(one) === wanted,
      )
      if (!found) return unavailable(shownVersion(version))
      const locks = parseZypperLocks(await read('locks', '--solvables'))
      return locks.has(`package:${name}`) ? 'The package is locked by zypper.' : undefined
    },

    async plan(targets) {
      const end = await readWhenFree(zypperBusy, 'zypper', [
        '--xmlout',
        ...quiet,
        ...backwards,
        '--dry-run',
        ...wordsOf(targets, []),
      ])
      if (end.waitedFor !== undefined) throw new PackagesInUse(reasonOf(end))
      const plan = parseZypperPlan(end.output)
      if (!plan) throw new ExpectedError(`zypper refuses it: ${problemOf(end)}`)
      return plan
    },

    async downgrade(targets) {
      const end = await runWhenFree(zypperBusy, 'zypper', [...quiet, ...backwards, ...wordsOf(targets, [])])
      if (end.waitedFor !== undefined) throw new PackagesInUse(reasonOf(end))
      if (!isSuccess(end.code)) throw new ExpectedError(`zypper failed: ${reasonOf(end)}`)
      return { rebootRequired: end.code === rebootCode }
    },
  },
}

/** The patches are named as well: zypper then says whether they ask for a restart. */
const wordsOf = (targets: readonly RpmPackage[], keys: readonly string[]) => [
  ...targets.map(({ name, architecture, version }) => `${name}.${architecture}=${shownVersion(version)}`),
  ...keys.map((key) => `patch:${key}`),
]

async function read(...args: string[]): Promise<string> {
  const end = await readWhenFree(zypperBusy, 'zypper', ['--xmlout', ...quiet, ...args])
  // It ends with 104 if it has found nothing.
  if (isSuccess(end.code) || end.code === 104) return end.output
  throw new ExpectedError(`zypper failed: ${problemOf(end)}`)
}

const problemOf = (end: ToolEnd) => (end.waitedFor === undefined ? zypperProblem(end.output) : '') || reasonOf(end)

type Required = Map<string, { name: string; version: string }[]>

async function requiredBy(patches: readonly string[]): Promise<Required> {
  const found: Required = new Map()
  for (let at = 0; at < patches.length; at += maxNames) {
    const words = [...quiet, 'info', '-t', 'patch', ...patches.slice(at, at + maxNames)]
    const { code, output } = await readWhenFree(zypperBusy, 'zypper', words)
    if (isSuccess(code)) for (const [name, packages] of parseZypperConflicts(output)) found.set(name, packages)
  }
  return found
}

/** Updates of repositories that publish no patches, such as those of third parties. */
async function packageUpdates(published: readonly ZypperUpdate[]): Promise<AvailableRpm[]> {
  const withPatches = new Set(published.map(({ repository }) => repository))
  return parseZypperUpdates(await read('list-updates', '--all'))
    .filter(({ repository }) => !withPatches.has(repository))
    .map(({ name, edition, architecture }) => ({
      ...{ name, architecture, version: withEpoch(edition) },
      ...{ sizeBytes: undefined, source: undefined },
    }))
}

async function contextOf(names: readonly string[], locks: ReadonlySet<string>): Promise<RpmContext> {
  const available = new Map<string, AvailableRpm>()
  for (let at = 0; at < names.length; at += maxNames) {
    const some = names.slice(at, at + maxNames)
    const text = await read('search', '--details', '--match-exact', '-t', 'package', ...some)
    for (const { isInstalled, ...one } of parseZypperPackages(text))
      if (!isInstalled) available.set(formatNevra(one), { ...one, sizeBytes: undefined, source: undefined })
  }
  const free = new Map([...available].filter(([, { name }]) => !locks.has(`package:${name}`)))
  return { installed: await listInstalled(), available, free, lockName: 'a lock of zypper' }
}

type MissingContext = { required: Required; context: RpmContext; locks: ReadonlySet<string> }

function missingPatches(patch: ZypperUpdate, { required, context, locks }: MissingContext): RpmPatch[] {
  // A patch names no architecture of its packages; those that are installed count.
  const packages = (required.get(patch.name) ?? []).flatMap((one) =>
    context.installed.flatMap(({ name, architecture }) => (name === one.name ? [{ ...one, architecture }] : [])),
  )
  const found = targetsFrom(context, packages)
  const isLocked = patch.status === 'unwanted' || locks.has(`patch:${patch.name}`)
  return [
    {
      ...detailsOf(patch),
      ...found,
      isMissing: true,
      restartSuggested: patch.restart,
      ...(isLocked && { lockedBy: context.lockName }),
      ...(found.targets.length === 0 && { obstacle: 'zypper does not say which packages it changes' }),
    },
  ]
}

/** The latest installed security patches are reported: earlier ones say nothing about what the computer lacks. */
const maxApplied = 1_000

function appliedPatches(published: readonly ZypperUpdate[], known: ReadonlySet<string>): RpmPatch[] {
  const applied = published.filter(({ status }) => status === 'applied')
  const latest = applied
    .filter(({ category }) => category === 'security')
    .toSorted((one, other) => (other.date ?? '').localeCompare(one.date ?? ''))
    .slice(0, maxApplied)
  const reported = new Set([...latest, ...applied.filter(({ name }) => known.has(name))])
  return [...reported].map((patch) => ({ ...detailsOf(patch), isMissing: false, targets: [] }))
}

function detailsOf({ name, title, severity, category, date, cves }: ZypperUpdate) {
  return {
    ...{ key: name, isAdvisory: true, title, releaseDate: date, cves: cves.filter(isCve) },
    type: category === 'security' ? ('SecurityPatch' as const) : ('NonSecurityPatch' as const),
    severity: /^(none|unspecified|)$/.test(severity) ? undefined : severity,
  }
}
