import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { print } from '@muster/text/print'
import { ExpectedError } from '../../../expected-error.ts'
import type { Repository, RepositoryPackage } from '../../repository-packages.ts'
import { detection } from '../detection.ts'
import { type Policy, parsePolicies } from '../patches/policy.ts'
import { addSource, releaseSource, repositoryId, type SourceFile } from './source-file.ts'
import { reasonOf, requireTool, runWhenFree } from './tools.ts'

/** What apt and dpkg print if they end at once because another one is at work. */
export const aptBusy = /Could not get lock|Unable to lock directory|lock was locked by another process/
export const keepFiles = ['-o', 'Dpkg::Options::=--force-confdef', '-o', 'Dpkg::Options::=--force-confold']

export const apt = {
  async install(wanted: RepositoryPackage): Promise<{ rebootRequired: boolean }> {
    const source = wanted.repository && (await sourceFileOf(wanted.repository))
    const user = `deb:${wanted.name}`
    const wasStated = source ? await addSource(source, user) : true
    try {
      await refreshLists(source)
      return await installFound(wanted)
    } catch (error) {
      // A package that was not installed leaves no repository behind.
      if (source && !wasStated) await releaseSource(source, user)
      throw error
    }
  },

  async remove({ name, repository, keepVersion }: RepositoryPackage): Promise<void> {
    if ((await installedVersion(name)) === undefined) print(`${name} is not installed.`)
    else {
      const isLocked = await isOwnLock(name, keepVersion)
      await requireNoOtherRemoval(['remove', name], name)
      if (isLocked) await setLock(name, 'unhold')
      const end = await runWhenFree(aptBusy, 'apt-get', ['-q', '-y', 'remove', name])
      if (end.code !== 0) throw new ExpectedError(`apt-get failed: ${reasonOf(end)}`)
    }
    const source = repository && (await sourceFileOf(repository))
    if (source && (await releaseSource(source, `deb:${name}`))) print(`Removed the repository in ${source.path}.`)
  },
}

async function installFound(wanted: RepositoryPackage): Promise<{ rebootRequired: boolean }> {
  const { name, keepVersion, allowDowngrade } = wanted
  const sign = process.env.MUSTER_REBOOT_SIGN || '/run/reboot-required'
  const neededRestart = existsSync(sign)
  const target = await chooseTarget(wanted, await readPolicy(name))
  if (target === undefined) print(`${name} is installed already.`)
  else {
    const words = [...(allowDowngrade ? ['--allow-downgrades'] : []), 'install', `${name}=${target}`]
    const isLocked = await isOwnLock(name, keepVersion)
    await requireNoOtherRemoval(words, name)
    if (isLocked) await setLock(name, 'unhold')
    const end = await runWhenFree(aptBusy, 'apt-get', ['-q', '-y', '--no-remove', ...keepFiles, ...words])
    if (end.code !== 0) {
      if (isLocked) await setLock(name, 'hold')
      throw new ExpectedError(`apt-get failed: ${reasonOf(end)}`)
    }
  }
  if (keepVersion !== undefined) await setLock(name, keepVersion ? 'hold' : 'unhold')
  return { rebootRequired: !neededRestart && existsSync(sign) }
}

/** The version to install; undefined if nothing has to be changed. Throws if the repositories do not have it. */
async function chooseTarget({ name, version, minVersion, allowDowngrade }: RepositoryPackage, policy: Policy) {
  const { candidate } = policy
  const installed = await installedVersion(name)
  const offered = policy.versions.map((one) => one.version)
  if (version !== undefined && !offered.includes(version))
    throw new ExpectedError(
      `The repositories of this computer do not have version ${version} of ${name}, but ${offered.slice(0, 20).join(', ')}.`,
    )
  const target = version ?? candidate
  if (minVersion !== undefined && (await compare(target, minVersion)) < 0)
    throw new ExpectedError(`The repositories of this computer have ${name} ${target}, and not ${minVersion} or later.`)
  const order = installed === undefined ? -1 : await compare(installed, target)
  if (order === 0 || (order > 0 && version === undefined)) return undefined
  if (order > 0 && !allowDowngrade)
    throw new ExpectedError(
      `${name} ${installed} is installed, and the package does not allow a downgrade to ${target}.`,
    )
  return target
}

/** What apt knows under exactly this name: where it knows none, it would take the name for a pattern. */
async function readPolicy(name: string): Promise<Policy> {
  const { output } = await requireTool('apt-cache', 'apt-cache', ['policy', name], false)
  const policies = parsePolicies(output)
  const policy = policies.get(name) ?? policies.get(name.replace(/:.*$/, ''))
  if (policy && policy.candidate !== '(none)') return policy
  throw new ExpectedError(`The repositories of this computer do not have ${name}.`)
}

/** Simulates a change, and refuses it if apt would remove anything but the package itself. */
async function requireNoOtherRemoval(words: readonly string[], name: string): Promise<void> {
  const options = ['-s', '-q', '-y', '--allow-change-held-packages']
  const { output } = await requireTool('The simulation of apt-get', 'apt-get', [...options, ...words], false)
  const own = name.replace(/:.*$/, '')
  const removed = [...output.matchAll(/^Remv ([^ :]+)/gm)].map(([, one]) => one)
  const others = removed.filter((one) => one !== own)
  if (others.length > 0)
    throw new ExpectedError(`Nothing was changed: apt would also remove ${others.slice(0, 20).join(', ')}.`)
}

/** Whether the version is locked. Throws if its manifest does not decide about that. */
async function isOwnLock(name: string, keepVersion: boolean | undefined): Promise<boolean> {
  const { output } = await requireTool('apt-mark', 'apt-mark', ['showhold', name], false)
  if (output.trim() === '') return false
  if (keepVersion !== undefined) return true
  throw new ExpectedError(
    `${name} is locked at its version on this computer, and its package does not decide about that.`,
  )
}

async function setLock(name: string, how: 'hold' | 'unhold'): Promise<void> {
  await requireTool('apt-mark', 'apt-mark', [how, name])
}

/** The given repository must answer. Others may be broken: the lists that the computer has decide then. */
async function refreshLists(source: SourceFile | undefined): Promise<void> {
  if (source) {
    const only = ['-o', `Dir::Etc::sourcelist=${source.path}`, '-o', 'Dir::Etc::sourceparts=-']
    const keep = ['-o', 'APT::Get::List-Cleanup=0', '-o', 'APT::Update::Error-Mode=any']
    const end = await runWhenFree(aptBusy, 'apt-get', ['-q', ...only, ...keep, 'update'])
    if (end.code !== 0) throw new ExpectedError(`The repository cannot be used: ${reasonOf(end)}`)
  }
  const end = await runWhenFree(aptBusy, 'apt-get', ['-q', 'update'])
  if (end.code !== 0)
    print('Not all lists of packages could be refreshed. Continuing with those that this computer has.')
}

async function sourceFileOf(repository: Repository): Promise<SourceFile> {
  const names = ['etc', 'Dir::Etc/d', 'parts', 'Dir::Etc::sourceparts/d']
  const { output } = await requireTool('apt-config', 'apt-config', ['shell', ...names], false)
  const folder = (name: string) => new RegExp(`^${name}='(.*)'$`, 'm').exec(output)?.[1]
  const [etc, parts] = [folder('etc'), folder('parts')]
  if (!etc || !parts) throw new ExpectedError('apt-config does not name the folder of sources.')
  const id = repositoryId(repository)
  const keyPath = join(etc, 'keyrings', `${id}.asc`)
  const { url, suite = './', components = [], key } = repository
  const lines = ['Types: deb', `URIs: ${url}`, `Suites: ${suite}`]
  if (components.length > 0) lines.push(`Components: ${components.join(' ')}`)
  return { path: join(parts, `${id}.sources`), keyPath, key, content: [...lines, `Signed-By: ${keyPath}`].join('\n') }
}

const installedVersion = async (name: string) => detection.dpkgVersion?.(name)

const compare = async (one: string, other: string) => (await detection.compareDpkgVersions?.(one, other)) ?? 0
