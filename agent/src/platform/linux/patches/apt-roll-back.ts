import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { ExpectedError } from '../../../expected-error.ts'
import { detection } from '../detection.ts'
import { aptBusy, keepFiles } from '../repositories/apt.ts'
import { readTool, reasonOf, requireRead, runWhenFree } from '../repositories/tools.ts'
import { findLastChange, parseAptHistory, parseDpkgLog, type RecordedChange } from './apt-history.ts'
import { findDebianFile, parseKey, readAptPlan } from './apt-install.ts'
import { listLocked, lockName } from './apt-locks.ts'
import { type DpkgPackage, listDpkgPackages } from './dpkg-state.ts'
import { readRotatedLogs } from './package-logs.ts'
import { parsePolicies } from './policy.ts'
import {
  alreadyEarlier,
  laterInstalled,
  noVersionBefore,
  PackagesInUse,
  type RollbackNeed,
  type RollbackTool,
  unavailable,
} from './roll-back.ts'

/** `word` is what apt is asked for: a package in a version, or its file in the cache. */
type Target = { name: string; architecture: string; version: string; word: string }

const options = ['--allow-downgrades', '--no-install-recommends']

/** Rolls back patches whose keys have the form "package version", to the versions that dpkg and apt have recorded. */
export const aptRollback: RollbackTool<Target> = {
  async needsOf(keys) {
    const packages = (await listDpkgPackages()).filter(({ state }) => state === 'installed')
    const locked = await listLocked()
    const needs: RollbackNeed<Target>[] = []
    for (const key of keys) needs.push(await needOf(key, packages, locked))
    return needs
  },

  nameOf: ({ name }) => name,
  describe: ({ name, version }) => `${name} ${version}`,

  plan: (targets) => readAptPlan([...options, 'install', ...targets.map(({ word }) => word)]),

  async downgrade(targets) {
    const words = targets.map(({ word }) => word)
    const change = ['-q', '-y', ...options, '--no-remove', ...keepFiles, 'install', ...words]
    const end = await runWhenFree(aptBusy, 'apt-get', change)
    if (end.waitedFor !== undefined) throw new PackagesInUse(reasonOf(end))
    if (end.code !== 0) throw new ExpectedError(`apt-get failed: ${reasonOf(end)}`)
    return { rebootRequired: false }
  },

  async findLeft(targets) {
    const packages = await listDpkgPackages()
    return targets.filter(
      ({ name, architecture, version }) =>
        !packages.some(
          (one) =>
            one.state === 'installed' &&
            one.name === name &&
            one.architecture === architecture &&
            one.version === version,
        ),
    )
  },
}

/** What dpkg cannot compare is no later version. */
const compare = async (one: string, other: string) => (await detection.compareDpkgVersions?.(one, other)) ?? 0

async function needOf(
  key: string,
  packages: readonly DpkgPackage[],
  locked: ReadonlySet<string>,
): Promise<RollbackNeed<Target>> {
  const wanted = parseKey(key)
  if (!wanted) return { state: 'impossible', reason: 'It is not a package of apt.' }
  const { name, version } = wanted
  const installed = packages.filter((one) => one.name === name)
  if (installed.length === 0) return { state: 'gone', reason: `${name} is not installed any more.` }
  const present = installed.filter((one) => one.version === version)
  for (const one of installed)
    if ((await compare(one.version, version)) > 0)
      return { state: 'impossible', reason: laterInstalled(name, one.version) }
  if (present.length === 0)
    return { state: 'gone', reason: `An earlier version of ${name} is installed already: ${installed[0]?.version}.` }
  if (locked.has(name)) return { state: 'impossible', reason: `The package is locked by ${lockName}.` }
  const targets: Target[] = []
  for (const one of present) {
    const found = await findTarget(one)
    if (typeof found === 'string') return { state: 'impossible', reason: found }
    targets.push(found)
  }
  return { state: 'needed', targets }
}

/** What to ask apt for; or why that is not possible. */
async function findTarget(installed: DpkgPackage): Promise<Target | string> {
  const { name, architecture, version } = installed
  const change = await findRecorded(installed)
  if (!change || change.from === null) return noVersionBefore(version)
  const before = change.from
  if ((await compare(before, version)) >= 0) return alreadyEarlier(version, before)
  const word = await findSource({ name, architecture, version: before })
  return word === undefined ? unavailable(before) : { name, architecture, version: before, word }
}

async function findRecorded(installed: DpkgPackage): Promise<RecordedChange | undefined> {
  const logs = [
    { path: await dpkgLogPath(), parse: parseDpkgLog },
    { path: await aptHistoryPath(), parse: parseAptHistory },
  ]
  for (const { path, parse } of logs)
    for await (const text of readRotatedLogs(path)) {
      const change = findLastChange(parse(text), installed)
      if (change) return change
    }
  return undefined
}

/** As apt calls dpkg. */
async function dpkgLogPath(): Promise<string> {
  const given = await requireRead('apt-config', ['dump', '--format', '%v%n', 'DPkg::Options'])
  return /^--log=(.+)$/m.exec(given)?.[1] ?? '/var/log/dpkg.log'
}

const aptHistoryPath = () => configuredPath('Dir::Log::History/f', '/var/log/apt/history.log')

async function configuredPath(name: string, fallback: string): Promise<string> {
  const text = await requireRead('apt-config', ['shell', 'path', name])
  return /^path='(.+)'$/m.exec(text)?.[1] ?? fallback
}

/** A repository offers the version, or the cache of apt has its file. */
async function findSource({ name, architecture, version }: Omit<Target, 'word'>): Promise<string | undefined> {
  const wanted = `${name}:${architecture}=${version}`
  const subject = architecture === 'all' ? name : `${name}:${architecture}`
  const { code, output } = await readTool('apt-cache', ['policy', subject])
  const policies = code === 0 ? parsePolicies(output) : new Map()
  const policy = policies.get(subject) ?? policies.get(name)
  if (policy?.versions.some((one: { version: string }) => one.version === version)) return wanted
  const folder = await configuredPath('Dir::Cache::archives/d', '/var/cache/apt/archives')
  const file = join(folder, `${name}_${version.replaceAll(':', '%3a')}_${architecture}.deb`)
  return existsSync(file) ? findDebianFile([file], wanted) : undefined
}
