import { join } from 'node:path'
import type { Platform } from '../platform/platform.ts'
import { readStored } from '../state/durable-file.ts'

/**
 * The versions with which the agent has updated itself, each in a folder of its own. Pointers name the folders: 'trial' that
 * of a version that has not contacted the server yet, 'current' that of the version in use, 'reverted' that of the last
 * version on trial that failed. The launcher, which is not part of a version, reads the same pointers.
 */
export type Versions = {
  root: string
  trial: string
  current: string
  reverted: string
  starts: string
  record: string
}

/** The update that was staged last. */
export type StagedUpdate = { folder: string; version: string; previousVersion: string; workId: number | null }

/** Undefined if the agent was not started by its launcher, which alone could return to the previous version. */
export function findVersions(): Versions | undefined {
  const root = process.env.MUSTER_AGENT_VERSIONS
  if (!root) return undefined
  const at = (name: string) => join(root, name)
  return {
    root,
    trial: at('trial'),
    current: at('current'),
    reverted: at('reverted'),
    starts: at('starts'),
    record: at('update.json'),
  }
}

/** The folder of the version on trial that this process runs; the launcher sets it. */
const ownTrial = () => process.env.MUSTER_AGENT_TRIAL

/** Whether another version waits for its trial. The agent stops then so that the launcher starts that version. */
export async function isUpdateWaiting({ program }: Platform): Promise<boolean> {
  const versions = findVersions()
  const folder = versions && (await program.readPointer(versions.trial))
  return folder !== undefined && folder !== ownTrial()
}

/** Ends the trial of this process after a contact: it is the version in use from now on. Returns whether it was on trial. */
export async function confirmUpdate({ program, files }: Platform): Promise<boolean> {
  const versions = findVersions()
  if (!versions || ownTrial() === undefined) return false
  if ((await program.readPointer(versions.trial)) !== ownTrial()) return false
  await program.movePointer(versions.trial, versions.current)
  await files.syncFolder(versions.root)
  return true
}

export type UpdateOutcome = { state: 'OnTrial' | 'Current' | 'Reverted'; update: StagedUpdate }

/** What has become of the update that a work item staged; undefined if it staged none. */
export async function findOutcome({ program }: Platform, workId: number): Promise<UpdateOutcome | undefined> {
  const versions = findVersions()
  const update = versions && (await readStored<StagedUpdate>(versions.record))
  if (!versions || update?.workId !== workId) return undefined
  if ((await program.readPointer(versions.trial)) === update.folder) return { state: 'OnTrial', update }
  if ((await program.readPointer(versions.current)) === update.folder) return { state: 'Current', update }
  if ((await program.readPointer(versions.reverted)) === update.folder) return { state: 'Reverted', update }
  return undefined
}
