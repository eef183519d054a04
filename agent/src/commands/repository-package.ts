import { readFile } from 'node:fs/promises'
import { startedSource } from '../answers/work.ts'
import { ExpectedError, messageOf } from '../expected-error.ts'
import type { Platform } from '../platform/platform.ts'
import { type DeclaredSource, readSource } from '../work/declared/read-source.ts'
import { rebootExitCode } from '../work/declared/source-commands.ts'

/** Installs or removes a package of a repository, as the command of work. Exits with 100 if a restart must follow. */
export async function repositoryPackage({ name, repositoryPackages }: Platform, step: string, path: string) {
  if (!repositoryPackages) throw new ExpectedError(`${name} has no packages of repositories.`)
  const wanted = readSource(await readDeclared(path))
  const obstacle = await repositoryPackages.findObstacle(wanted.family)
  if (obstacle !== undefined) throw new ExpectedError(`Nothing was changed: ${obstacle}.`)
  if (step === 'uninstall') return repositoryPackages.remove(wanted)
  const { rebootRequired } = await repositoryPackages.install(wanted)
  if (rebootRequired) process.exitCode = rebootExitCode
}

async function readDeclared(path: string): Promise<DeclaredSource> {
  try {
    return startedSource(JSON.parse(await readFile(path, 'utf8')), 'source')
  } catch (error) {
    throw new ExpectedError(`The package to change cannot be read: ${messageOf(error)}.`)
  }
}
