import { existsSync } from 'node:fs'
import { readFile, rename, stat, writeFile } from 'node:fs/promises'
import { print } from '@muster/text/print'
import { ExpectedError } from '../../../expected-error.ts'
import { addExclude, isExcluded, removeExclude } from './dnf-excludes.ts'
import type { RpmTool } from './rpm-tool.ts'
import { inRoot } from './system-root.ts'
import { reasonOf, requireTool, runTool, runWhenFree } from './tools.ts'

/** What dnf and yum print if they end at once because another one is at work. */
export const dnfBusy = /already locked by \d+|another copy is running as pid|another transaction is in progress/i

export const dnfWith = (name: 'dnf' | 'yum'): RpmTool => ({
  name,
  repositories: '/etc/yum.repos.d',
  repositoryLines: [],
  async change(how, packageName, version) {
    const target = version === undefined ? packageName : `${packageName}-${version}`
    const options = ['-y', '--setopt=exit_on_lock=True', ...(name === 'dnf' ? ['--refresh'] : [])]
    // What was installed as a dependency before stays: another program may have come to use it.
    const kept = how === 'remove' && name === 'dnf' ? ['--setopt=clean_requirements_on_remove=False'] : []
    const end = await runWhenFree(dnfBusy, name, [...options, ...kept, how, target])
    if (end.code !== 0) throw new ExpectedError(`${name} failed: ${reasonOf(end)}`)
    return false
  },
  async isLocked(packageName) {
    const locks = await listLocks(name)
    if (locks === undefined) return isExcluded(await readConfiguration(), packageName)
    return locks.split('\n').some((line) => isLockOf(line, packageName))
  },
  async setLock(packageName, keepVersion) {
    const hasPlugin = (await listLocks(name)) !== undefined
    print(
      `${keepVersion ? 'Locking' : 'Unlocking'} the version of ${packageName} by ${hasPlugin ? 'versionlock' : 'excludepkgs'}.`,
    )
    if (hasPlugin) await requireTool(name, name, ['versionlock', keepVersion ? 'add' : 'delete', packageName])
    else await changeConfiguration((text) => (keepVersion ? addExclude : removeExclude)(text, packageName))
  },
})

/** What versionlock prints; undefined if this computer does not have it. */
async function listLocks(tool: string): Promise<string | undefined> {
  const { code, output } = await runTool(tool, ['-q', 'versionlock', 'list'], false)
  return code === 0 ? output : undefined
}

/** As dnf 4 and yum print it, `hello-0:1.0-1.*` with the epoch in front of either part, or dnf 5. */
function isLockOf(line: string, name: string): boolean {
  const entry = line.trim().replace(/^\d+:/, '')
  return (
    entry === `Package name: ${name}` ||
    (entry.startsWith(`${name}-`) && /^\d+:|^[^-]+-[^-]+$/.test(entry.slice(name.length + 1)))
  )
}

const configurationPath = () => ['/etc/dnf/dnf.conf', '/etc/yum.conf'].map(inRoot).find((path) => existsSync(path))

async function readConfiguration(): Promise<string> {
  const path = configurationPath()
  return path === undefined ? '' : readFile(path, 'utf8')
}

async function changeConfiguration(change: (text: string) => string): Promise<void> {
  const path = configurationPath()
  if (path === undefined)
    throw new ExpectedError('dnf has neither versionlock nor a configuration file to lock a version.')
  const { mode } = await stat(path)
  await writeFile(`${path}.muster-new`, change(await readFile(path, 'utf8')), { mode })
  await rename(`${path}.muster-new`, path)
}
