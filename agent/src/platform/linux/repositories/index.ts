import { print } from '@muster/text/print'
import type { RepositoryFamily, RepositoryPackage, RepositoryPackages } from '../../repository-packages.ts'
import { apt } from './apt.ts'
import { readSystem } from './family.ts'
import { chooseRpmTool } from './rpm.ts'
import { findTool } from './tools.ts'

type Changes = Pick<RepositoryPackages, 'install' | 'remove'>

export const repositoryPackages: RepositoryPackages = {
  async findObstacle(family) {
    const system = await readSystem()
    if (system.family !== family)
      return `it is a ${family} package, and ${system.title} has ${system.family ?? 'no such'} packages`
    const tools = family === 'deb' ? (['apt-get'] as const) : (['dnf', 'yum', 'zypper'] as const)
    return findTool(...tools) ? undefined : `this computer has no ${tools.join(', ')}`
  },
  async install(wanted) {
    const tool = await toolFor(wanted.family)
    print(`Installing ${describe(wanted)}.`)
    return tool.install(wanted)
  },
  async remove(wanted) {
    const tool = await toolFor(wanted.family)
    print(`Removing ${wanted.family}:${wanted.name}.`)
    await tool.remove(wanted)
  },
}

const toolFor = async (family: RepositoryFamily): Promise<Changes> =>
  family === 'deb' ? apt : chooseRpmTool(await readSystem())

function describe({ family, name, version, minVersion, repository }: RepositoryPackage): string {
  const which = version ?? (minVersion === undefined ? 'in the newest version' : `in version ${minVersion} or later`)
  return `${family}:${name} ${which}, from ${repository ? `${repository.url} and ` : ''}the repositories of this computer`
}
