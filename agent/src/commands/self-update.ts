import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { print } from '@muster/text/print'
import { ExpectedError } from '../expected-error.ts'
import { readPinnedKeys } from '../signing/pinned-keys.ts'
import { wakeRunningAgent } from '../state/single-run.ts'
import type { StateFolder } from '../state/state-folder.ts'
import { stageUpdate } from '../update/stage-update.ts'
import { findVersions } from '../update/versions.ts'
import { agentVersion } from '../version.ts'

/**
 * Stages another version of the agent, from its archive or from a folder with the archives of all architectures. A package
 * runs this as its command; the version on trial reports the result of the work item.
 */
export async function selfUpdate(state: StateFolder, path: string, allowOlder: boolean): Promise<void> {
  const { platform } = state
  const versions = findVersions()
  if (!versions)
    throw new ExpectedError(
      'This agent was not started by its service, so nothing would return to it if the new version failed. Install the new version instead.',
    )
  if (await platform.program.readPointer(versions.trial)) throw new ExpectedError('Another update is on trial.')
  const archive = (await stat(path)).isDirectory() ? join(path, platform.program.archiveName) : path
  const workId = process.env.MUSTER_WORK_ID ? Number(process.env.MUSTER_WORK_ID) : null
  const mayBeOlder = await mayReturnToOlder(state, allowOlder && workId === null)
  const update = await stageUpdate(platform, versions, archive, { previousVersion: agentVersion, workId }, mayBeOlder)
  if (!update) return print(`Version ${agentVersion} is in use already.`)
  print(
    `Version ${update.version} is on trial until it has contacted the server. Until then, ${agentVersion} can return.`,
  )
  await wakeRunningAgent(state)
}

/**
 * An older version of the agent is still signed, and so are its defects. With pinned keys, only a person at the computer can
 * return to it: the server could hand out again a package whose command allows it.
 */
async function mayReturnToOlder(state: StateFolder, isAllowed: boolean): Promise<boolean> {
  return (await readPinnedKeys(state)) === undefined || isAllowed
}
