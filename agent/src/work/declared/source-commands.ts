import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isSea } from 'node:sea'
import type { Platform } from '../../platform/platform.ts'
import type { PackageDetection } from '../../protocol.ts'
import type { ResolvedCommands } from './declaration.ts'
import { type DeclaredSource, readSource } from './read-source.ts'

/** As the patch packages for Linux ask for a restart. */
export const rebootExitCode = 100

const sourceFileIn = (folder: string) => join(folder, 'muster-source.json')

/**
 * The commands for a package of a repository, and the database of the distribution as the way to find it. The agent itself is
 * the command: it calls several tools, and what follows the first one also happens if the agent is restarted meanwhile.
 */
export async function sourceCommands(
  { repositoryPackages }: Platform,
  source: DeclaredSource,
  folder: string,
): Promise<ResolvedCommands> {
  const { family, name, version, minVersion } = readSource(source)
  const obstacle = repositoryPackages
    ? await repositoryPackages.findObstacle(family)
    : `${family} packages do not exist on this operating system`
  if (obstacle !== undefined) throw new Error(obstacle)
  await writeSource(folder, source)
  const { timeLimitMinutes } = source
  const command = (step: 'install' | 'uninstall') => ({
    argv: [...ownProgram(), 'repository-package', step, sourceFileIn(folder)],
    timeLimitMinutes: timeLimitMinutes ?? 60,
    successCodes: [0],
    rebootCodes: [rebootExitCode],
  })
  const install = command('install')
  const form = { package: name, ...(version && { version }), ...(minVersion && { minVersion }) }
  const detect: PackageDetection = {
    ...(family === 'deb' ? { dpkg: form } : { rpm: form }),
    ...{ timeLimitMinutes: 60, successCodes: [0], rebootCodes: [] },
  }
  return { install, update: install, uninstall: command('uninstall'), detect }
}

async function writeSource(folder: string, source: DeclaredSource): Promise<void> {
  const path = sourceFileIn(folder)
  // A file of this name in the package may be a link into the cache.
  await rm(path, { force: true })
  await writeFile(path, `${JSON.stringify(source)}\n`, { mode: 0o600 })
}

/** How this program is started again. */
export function ownProgram(): string[] {
  const script = process.argv[1]
  return isSea() || script === undefined ? [process.execPath] : [process.execPath, script]
}
