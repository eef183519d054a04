import { ExpectedError } from '../../../expected-error.ts'
import type { WorkPatch } from '../../../protocol.ts'
import { detection } from '../detection.ts'
import { aptBusy, keepFiles } from '../repositories/apt.ts'
import { readTool, reasonOf, runWhenFree } from '../repositories/tools.ts'
import { listLocked, lockName } from './apt-locks.ts'
import { type DpkgPackage, listDpkgPackages } from './dpkg-state.ts'
import type { PatchInstaller, PatchNeed, PatchPlan } from './install-released.ts'

/** `word` is what apt is asked for: a package in a version, or the file that came with the work. */
type Target = { name: string; architecture: string; version: string; word: string }

/** The keys of patches of apt: "package version". */
const keyPattern = /^([a-z0-9][a-z0-9+.-]+) ([0-9][A-Za-z0-9.+:~-]*)$/
const exactly = ['--only-upgrade', '--no-install-recommends']

export function parseKey(key: string): { name: string; version: string } | undefined {
  const [, name, version] = keyPattern.exec(key) ?? []
  return name === undefined || version === undefined ? undefined : { name, version }
}

/** Simulates a change. */
export async function readAptPlan(args: readonly string[]): Promise<PatchPlan> {
  const { code, output, errorOutput } = await readTool('apt-get', ['-s', ...args])
  if (code !== 0) throw new ExpectedError(reasonOf({ code, output: output + errorOutput }))
  // Only upgrades and downgrades show the old version in brackets.
  const found = [...output.matchAll(/^(?:Inst ([^ :]+)[^ ]* \[|Remv ([^ :]+))/gm)]
  return { changed: found.flatMap(([, changed, removed]) => changed ?? removed ?? []) }
}

export async function refreshAptLists(): Promise<void> {
  const end = await runWhenFree(aptBusy, 'apt-get', ['-q', '-o', 'APT::Update::Error-Mode=any', 'update'])
  if (end.code !== 0) throw new ExpectedError(`The repositories cannot be read: ${reasonOf(end)}`)
}

/** Installs patches whose keys have the form "package version". */
export const aptInstaller: PatchInstaller<Target> = {
  async needsOf(patches) {
    const packages = (await listDpkgPackages()).filter(({ state }) => state === 'installed')
    const locked = await listLocked()
    const needs: PatchNeed<Target>[] = []
    for (const patch of patches) needs.push(await needOf(patch, packages, locked))
    return needs
  },

  namesOf: ({ name }) => [name],

  plan: (targets) => readAptPlan([...exactly, 'install', ...targets.map(({ word }) => word)]),

  async install(targets) {
    const words = targets.map(({ word }) => word)
    const end = await runWhenFree(aptBusy, 'apt-get', [
      '-q',
      '-y',
      ...exactly,
      '--no-remove',
      ...keepFiles,
      'install',
      ...words,
    ])
    if (end.code !== 0) throw new ExpectedError(reasonOf(end))
    return { rebootRequired: false }
  },

  async findLacking(targets) {
    const packages = await listDpkgPackages()
    const lacking: Target[] = []
    for (const target of targets) {
      const { name, architecture, version } = target
      const found = packages.find((one) => one.name === name && one.architecture === architecture)
      const isDone = found?.state === 'installed' && (await compare(found.version, version)) >= 0
      if (!isDone) lacking.push(target)
    }
    return lacking
  },
}

const compare = async (one: string, other: string) => (await detection.compareDpkgVersions?.(one, other)) ?? 0

async function needOf(
  { key, files }: WorkPatch,
  packages: readonly DpkgPackage[],
  locked: ReadonlySet<string>,
): Promise<PatchNeed<Target>> {
  const asked = parseKey(key)
  if (!asked) return { state: 'blocked', reason: 'it is not an apt package', targets: [] }
  const { name, version } = asked
  const installed = packages.filter((one) => one.name === name)
  if (installed.length === 0) return { state: 'unneeded', reason: 'the package is not installed any more', targets: [] }
  const targets: Target[] = []
  for (const one of installed) {
    if ((await compare(one.version, version)) >= 0) continue
    const wanted = `${name}:${one.architecture}=${version}`
    targets.push({
      name,
      architecture: one.architecture,
      version,
      word: (await findDebianFile(files, wanted)) ?? wanted,
    })
  }
  if (targets.length === 0) return { state: 'installed' }
  if (locked.has(name)) return { state: 'blocked', reason: `locked by ${lockName}`, targets }
  return { state: 'needed', targets }
}

/** The file among those of the patch that contains the package. */
export async function findDebianFile(files: readonly string[], wanted: string): Promise<string | undefined> {
  const format = ['Package', 'Architecture', 'Version'].map((name) => `\${${name}}`)
  for (const file of files.filter((path) => path.endsWith('.deb'))) {
    const { code, output } = await readTool('dpkg-deb', ['-W', '--showformat', format.join(' '), file])
    if (code === 0 && output.trim().replace(' ', ':').replace(' ', '=') === wanted) return file
  }
  return undefined
}
