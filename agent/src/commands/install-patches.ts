import { readFile } from 'node:fs/promises'
import { print, printError } from '@muster/text/print'
import { ExpectedError, messageOf } from '../expected-error.ts'
import type { Platform } from '../platform/platform.ts'
import type { WorkPatch } from '../protocol.ts'

/** As Windows installers ask for a restart. */
const rebootExitCode = 3010

/**
 * Installs the patches of a fix package, as its command. Exits with 3010 if a restart must follow, and with 1 if a patch
 * could not be installed.
 */
export async function installPatches({ name, patches }: Platform): Promise<void> {
  if (!patches.install)
    throw new ExpectedError(`On ${name}, the commands of a fix package install its patches with a tool of the system.`)
  const path = process.env.MUSTER_PATCHES
  if (!path) throw new ExpectedError('MUSTER_PATCHES is not set: this is a command for fix packages.')
  const list = JSON.parse(await readFile(path, 'utf8').catch(asExpected)) as WorkPatch[]
  const { failures, rebootRequired } = await patches.install(list, print)
  for (const { key, reason } of failures) printError(`${key} could not be installed: ${reason}`)
  if (failures.length > 0) process.exitCode = 1
  else if (rebootRequired) process.exitCode = rebootExitCode
}

function asExpected(error: unknown): never {
  throw new ExpectedError(`The patches to install cannot be read: ${messageOf(error)}.`)
}
