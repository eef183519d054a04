import { print } from '@muster/text/print'
import { ExpectedError } from '../../../expected-error.ts'
import type { Repository, RepositoryPackage } from '../../repository-packages.ts'
import { detection } from '../detection.ts'
import { dnfWith } from './dnf.ts'
import type { System } from './family.ts'
import type { RpmChange, RpmTool } from './rpm-tool.ts'
import { compareRpmVersions } from './rpm-versions.ts'
import { addSource, releaseSource, repositoryId, type SourceFile } from './source-file.ts'
import { inRoot } from './system-root.ts'
import { findTool, reasonOf, requireTool, runTool } from './tools.ts'
import { zypper } from './zypper.ts'

/** zypper on SUSE, otherwise dnf or yum. */
export function chooseRpmTool({ isSuse }: System) {
  const names = isSuse ? (['zypper', 'dnf', 'yum'] as const) : (['dnf', 'yum', 'zypper'] as const)
  const name = findTool(...names)
  if (!name) throw new ExpectedError(`This computer has no ${names.join(', ')}.`)
  const tool = name === 'zypper' ? zypper : dnfWith(name)
  return {
    install: (wanted: RepositoryPackage) => installWith(tool, wanted),
    remove: (wanted: RepositoryPackage) => removeWith(tool, wanted),
  }
}

async function installWith(tool: RpmTool, wanted: RepositoryPackage): Promise<{ rebootRequired: boolean }> {
  const source = wanted.repository && sourceFileOf(tool, wanted.repository)
  const user = `rpm:${wanted.name}`
  const wasStated = source ? await addSource(source, user) : true
  try {
    // Only this key: the tools would import whatever key a repository brings.
    if (source) await requireTool('The import of the key of the repository', 'rpm', ['--import', source.keyPath])
    return { rebootRequired: await changeVersion(tool, wanted) }
  } catch (error) {
    // A package that was not installed leaves no repository behind.
    if (source && !wasStated) await releaseSource(source, user)
    throw error
  }
}

async function changeVersion(tool: RpmTool, wanted: RepositoryPackage): Promise<boolean> {
  const { name, version, keepVersion } = wanted
  const how = chooseChange(wanted, await installedVersion(name))
  let rebootRequired = false
  if (how === undefined) print(`${name} is installed already.`)
  else {
    const wasLocked = await liftLock(tool, name, keepVersion)
    try {
      rebootRequired = await tool.change(how, name, version)
      await requireWanted(wanted)
    } catch (error) {
      if (wasLocked) await tool.setLock(name, true)
      throw error
    }
  }
  if (keepVersion !== undefined && (await tool.isLocked(name)) !== keepVersion) await tool.setLock(name, keepVersion)
  return rebootRequired
}

function chooseChange(wanted: RepositoryPackage, installed: string | undefined): RpmChange | undefined {
  const { name, version, allowDowngrade } = wanted
  if (installed === undefined) return 'install'
  if (version === undefined) return 'upgrade'
  const order = compareRpmVersions(installed, version)
  if (order === 0) return undefined
  if (order < 0) return 'upgrade'
  if (allowDowngrade) return 'downgrade'
  throw new ExpectedError(
    `${name} ${installed} is installed, and the package does not allow a downgrade to ${version}.`,
  )
}

/** The tools succeed as well if there is nothing newer to install. */
async function requireWanted({ name, version, minVersion }: RepositoryPackage): Promise<void> {
  const installed = await installedVersion(name)
  if (installed === undefined) throw new ExpectedError(`The repositories of this computer do not have ${name}.`)
  const isWanted =
    version === undefined
      ? minVersion === undefined || compareRpmVersions(installed, minVersion) >= 0
      : compareRpmVersions(installed, version) === 0
  if (!isWanted)
    throw new ExpectedError(
      `The repositories of this computer have ${name} ${installed}, and not ${version ?? `${minVersion} or later`}.`,
    )
}

async function removeWith(tool: RpmTool, { name, repository, keepVersion }: RepositoryPackage): Promise<void> {
  if ((await installedVersion(name)) === undefined) print(`${name} is not installed.`)
  else {
    // The tools would remove what needs it as well.
    const end = await runTool('rpm', ['-e', '--test', name])
    if (end.code !== 0) throw new ExpectedError(`Nothing was changed: ${reasonOf(end)}`)
    await liftLock(tool, name, keepVersion)
    await tool.change('remove', name, undefined)
  }
  const source = repository && sourceFileOf(tool, repository)
  if (source && (await releaseSource(source, `rpm:${name}`))) print(`Removed the repository in ${source.path}.`)
}

async function liftLock(tool: RpmTool, name: string, keepVersion: boolean | undefined): Promise<boolean> {
  if (!(await tool.isLocked(name))) return false
  if (keepVersion === undefined)
    throw new ExpectedError(
      `${name} is locked at its version on this computer, and its package does not decide about that.`,
    )
  await tool.setLock(name, false)
  return true
}

function sourceFileOf({ repositories, repositoryLines }: RpmTool, repository: Repository): SourceFile {
  const id = repositoryId(repository)
  const keyPath = inRoot(`/etc/pki/rpm-gpg/${id}.asc`)
  const lines = [
    `[${id}]`,
    'name=Added by the Muster agent',
    `baseurl=${repository.url}`,
    'enabled=1',
    'gpgcheck=1',
    `gpgkey=file://${keyPath}`,
    ...repositoryLines,
  ]
  return { path: inRoot(`${repositories}/${id}.repo`), keyPath, key: repository.key, content: lines.join('\n') }
}

const installedVersion = async (name: string) => detection.rpmVersion?.(name)
