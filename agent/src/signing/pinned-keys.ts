import { readFile } from 'node:fs/promises'
import { codeOf, ExpectedError } from '../expected-error.ts'
import { log } from '../log.ts'
import { writeDurably } from '../state/durable-file.ts'
import { readIdentity, rememberPinnedSerial } from '../state/identity.ts'
import type { KnownSettings } from '../state/settings.ts'
import type { StateFolder } from '../state/state-folder.ts'
import { parseKeyList } from './key-list.ts'
import { findSigner, type PublicKey } from './minisign.ts'

/** The keys that this computer trusts. With any, the agent runs nothing that none of them has signed. */
export type PinnedKeys = {
  serial: number
  keys: PublicKey[]
  /** The ids of keys that an administrator has removed here. No list of the server brings them back. */
  removedIds: string[]
}

type Stored = { serial: number; keys: string[]; removedIds?: string[] }

/** Keys are pinned and cannot be read. The agent must not continue as if it had none. */
export class PinnedKeysLost extends ExpectedError {
  override name = 'PinnedKeysLost'
}

/** Undefined if no key is pinned. */
export async function readPinnedKeys(state: StateFolder): Promise<PinnedKeys | undefined> {
  const stored = await readStoredKeys(state)
  return stored && stored.keys.length > 0 ? stored : undefined
}

/** The same with what is remembered about earlier keys if none is pinned; undefined if none ever was. */
async function readStoredKeys(state: StateFolder): Promise<PinnedKeys | undefined> {
  const text = await readIfPresent(state.trustedKeys)
  const isPinned = (await readIdentity(state))?.pinnedSerial !== undefined
  if (text === undefined && !isPinned) return undefined
  const stored = text === undefined ? undefined : parseStored(text)
  if (stored && (stored.keys.length > 0 || !isPinned)) return stored
  throw new PinnedKeysLost(
    `This computer has pinned keys, and ${state.trustedKeys} is ${text === undefined ? 'missing' : 'damaged'}. ` +
      "Nothing runs until an administrator of this computer names the keys to trust again: 'muster-agent trust-key KEY...'.",
  )
}

/** The same to replace them: lost keys count as none, after the serial that was the last one. */
export async function readPinnedKeysToReplace(state: StateFolder): Promise<PinnedKeys> {
  const unknown = { serial: (await readIdentity(state))?.pinnedSerial ?? 0, keys: [], removedIds: [] }
  const stored = await readStoredKeys(state).catch((error: unknown) => {
    if (error instanceof PinnedKeysLost) return undefined
    throw error
  })
  return stored ?? unknown
}

/** Whether the agent may run what nobody has signed. Not if keys are pinned, nor if they are lost. */
export async function mayRunUnsigned(state: StateFolder): Promise<boolean> {
  return readPinnedKeys(state).then(
    (pinned) => pinned === undefined,
    (error: unknown) => {
      if (error instanceof PinnedKeysLost) return false
      throw error
    },
  )
}

function readIfPresent(path: string): Promise<string | undefined> {
  return readFile(path, 'utf8').catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return undefined
    throw error
  })
}

function parseStored(text: string): PinnedKeys | undefined {
  try {
    const { serial, keys, removedIds = [] } = JSON.parse(text) as Stored
    const list = keys.length === 0 ? { keys: [] } : parseKeyList(keys.join('\n'))
    if (!Number.isSafeInteger(serial) || !Array.isArray(removedIds) || typeof list === 'string') return undefined
    return { serial, keys: list.keys, removedIds }
  } catch {
    return undefined
  }
}

/**
 * Replaces the pinned keys. The identity remembers that there are some: after the first are written and before the last are
 * removed, so an interruption in between leaves keys that are pinned. What was removed is remembered even if no key is left.
 */
export async function writePinnedKeys(state: StateFolder, { serial, keys, removedIds }: PinnedKeys): Promise<void> {
  const stored: Stored = { serial, keys: keys.map(({ text }) => text), removedIds }
  if (keys.length === 0) await rememberPinnedSerial(state, undefined)
  await writeDurably(state.platform.files, state.trustedKeys, stored)
  if (keys.length > 0) await rememberPinnedSerial(state, serial)
}

/** The serial of the pinned keys, even if they are lost; undefined if no key is pinned. */
export async function findPinnedSerial(state: StateFolder): Promise<number | undefined> {
  return (await mayRunUnsigned(state)) ? undefined : (await readPinnedKeysToReplace(state)).serial
}

/** Remembers that keys are pinned, which earlier versions did not, and which an interruption can prevent. */
export async function rememberPinnedKeys(state: StateFolder): Promise<void> {
  await rememberPinnedSerial(state, await findPinnedSerial(state))
}

/**
 * Pins the keys of the settings if none is pinned yet. Afterwards the server cannot change them on its own: only a list
 * with a higher serial that a pinned key has signed replaces them.
 */
export async function pinKeysOfSettings(
  state: StateFolder,
  { trustedKeys, trustedKeysSignature }: Pick<KnownSettings, 'trustedKeys' | 'trustedKeysSignature'>,
): Promise<void> {
  if (trustedKeys === null) return
  const ignore = (reason: string) => log(`The setting trustedKeys is ignored: ${reason}.`, 'ConfigurationRefused')
  const list = parseKeyList(trustedKeys)
  if (typeof list === 'string') return ignore(list)
  const stored = await readStoredKeys(state)
  const pinned = stored && stored.keys.length > 0 ? stored : undefined
  const removedIds = stored?.removedIds ?? []
  const keys = list.keys.filter(({ keyId }) => !removedIds.includes(keyId))
  if (keys.length === 0) return ignore('an administrator of this computer has removed all of its keys')
  const refusal = pinned && findRefusal(pinned, list.serial, trustedKeys, trustedKeysSignature)
  if (pinned && formatKeyIds(pinned.keys) === formatKeyIds(keys)) {
    // The serial of a signed list counts although it changes nothing: earlier lists are not valid any more.
    if (!refusal && list.serial !== null) await writePinnedKeys(state, { ...pinned, serial: list.serial })
    return
  }
  if (refusal) return ignore(`${refusal}. Trusted: ${formatKeyIds(pinned.keys)}`)
  await writePinnedKeys(state, { serial: Math.max(list.serial ?? 0, stored?.serial ?? 0), keys, removedIds })
  log(`From now on this agent runs only what these keys have signed: ${formatKeyIds(keys)}.`)
}

function findRefusal(
  { serial: pinnedSerial, keys }: PinnedKeys,
  serial: number | null,
  text: string,
  signature: string | null,
): string | undefined {
  if (serial === null || signature === null || !findSigner(keys, Buffer.from(text), signature))
    return 'it differs from the keys that are pinned on this computer, and none of those has signed it'
  return serial > pinnedSerial ? undefined : `its serial is ${serial}, and ${pinnedSerial} was the last one`
}

export function formatKeyIds(keys: readonly PublicKey[]): string {
  return keys
    .map(({ keyId }) => keyId)
    .sort()
    .join(', ')
}
