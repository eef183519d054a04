import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { print, printError } from '@muster/text/print'
import { ExpectedError, messageOf } from '../expected-error.ts'
import type { Platform } from '../platform/platform.ts'
import type { WorkPatch } from '../protocol.ts'
import { rebootExitCode } from '../work/declared/source-commands.ts'

/** As Windows installers ask for a restart; elsewhere, exit codes end at 255. */
const windowsRebootCode = 3010

/**
 * Installs the patches of a fix package, as its command. Exits with 3010, and elsewhere than on Windows with 100, if a restart must
 * follow, and with 1 if a patch could not be installed.
 */
export async function installPatches({ name, patches }: Platform): Promise<void> {
  if (!patches.install) throw new ExpectedError(`On ${name}, Muster cannot install patches.`)
  const path = process.env.MUSTER_PATCHES
  if (!path) throw new ExpectedError('MUSTER_PATCHES is not set: this is a command for fix packages.')
  const list = JSON.parse(await readFile(path, 'utf8').catch(asExpected)) as WorkPatch[]
  const folder = dirname(path)
  const released = list.map((patch) => ({ ...patch, files: (patch.files ?? []).map((file) => join(folder, file)) }))
  const { failures, rebootRequired } = await patches.install(released, print)
  for (const { key, reason } of failures) printError(`NOT installed: ${key} (${reason})`)
  if (failures.length > 0) process.exitCode = 1
  else if (rebootRequired) process.exitCode = name === 'Windows' ? windowsRebootCode : rebootExitCode
}

function asExpected(error: unknown): never {
  throw new ExpectedError(`The patches to install cannot be read: ${messageOf(error)}.`)
}
