import { mkdir } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { codeOf, ExpectedError } from '../expected-error.ts'
import type { Platform } from '../platform/platform.ts'

export type StateFolder = {
  /** Writing durably and finding the running agent differ by platform. */
  platform: Platform
  root: string
  identity: string
  certificates: string
  /** The keys that must have signed what the agent runs. */
  trustedKeys: string
  settings: string
  offers: string
  /** The keys of the patches found by the last scan. */
  patches: string
  /** What has become of patches that were to be rolled back, until a scan has reported it. */
  rollbacks: string
  contact: string
  rebootPending: string
  suspension: string
  /** Since when the user is presenting. */
  presentation: string
  postponement: string
  /** Work with a deadline that waits for the people at this computer. */
  userDeadlines: string
  requestedPackages: string
  /** What users have chosen, and the server does not know yet. */
  userChoices: string
  /** The software of the computer, as the server last listed it for users. */
  software: string
  /** What is downloaded before its time. */
  preDownloads: string
  journal: string
  cache: string
  incoming: string
  packages: string
}

/** The folder of that path, otherwise that of MUSTER_AGENT_STATE, otherwise that of the platform. */
export function stateFolder(platform: Platform, path?: string): StateFolder {
  const root = resolve(path ?? (process.env.MUSTER_AGENT_STATE || platform.paths.state()))
  const at = (name: string) => join(root, name)
  return {
    platform,
    root,
    identity: at('identity.json'),
    certificates: at('ca.pem'),
    trustedKeys: at('trusted-keys.json'),
    settings: at('settings.json'),
    offers: at('offers.json'),
    patches: at('patches.json'),
    rollbacks: at('rollbacks.json'),
    contact: at('contact.json'),
    rebootPending: at('reboot-pending.json'),
    suspension: at('suspension.json'),
    presentation: at('presentation.json'),
    postponement: at('postponement.json'),
    userDeadlines: at('user-deadlines.json'),
    requestedPackages: at('wants'),
    userChoices: at('choices'),
    software: at('software.json'),
    preDownloads: at('pre-downloads.json'),
    journal: at('journal'),
    cache: at('cache'),
    incoming: at('incoming'),
    packages: at('packages'),
  }
}

/** Creates missing folders. Only the owner may read them: they contain the credential and the packages. */
export async function prepareStateFolder(state: StateFolder): Promise<void> {
  try {
    await state.platform.files.makePrivateFolder(state.root)
    for (const folder of foldersIn(state)) await mkdir(folder, { recursive: true, mode: 0o700 })
  } catch (error) {
    if (codeOf(error) === undefined) throw error
    throw new ExpectedError(`The state folder ${state.root} cannot be used: ${(error as Error).message}.`)
  }
}

const foldersIn = ({ requestedPackages, userChoices, journal, cache, incoming, packages }: StateFolder) => [
  ...[requestedPackages, userChoices, journal, cache, incoming, packages],
]
