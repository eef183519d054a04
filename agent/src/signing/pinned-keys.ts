import { readFile } from 'node:fs/promises'
import { codeOf } from '../expected-error.ts'
import { log } from '../log.ts'
import { removeDurably, writeDurably } from '../state/durable-file.ts'
import type { KnownSettings } from '../state/settings.ts'
import type { StateFolder } from '../state/state-folder.ts'
import { parseKeyList } from './key-list.ts'
import { findSigner, type PublicKey } from './minisign.ts'

/** The keys that this computer trusts. With any, the agent runs nothing that none of them has signed. */
export type PinnedKeys = { serial: number; keys: PublicKey[] }

type Stored = { serial: number; keys: string[] }

/** Undefined if no key is pinned. A damaged file is an error: the agent must not continue as if it had no keys. */
export async function readPinnedKeys({
  trustedKeys,
}: Pick<StateFolder, 'trustedKeys'>): Promise<PinnedKeys | undefined> {
  const text = await readFile(trustedKeys, 'utf8').catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return undefined
    throw error
  })
  if (text === undefined) return undefined
  const damaged = new Error(`${trustedKeys} is damaged. Delete it and write the keys to trust again with 'trust-key'.`)
  const stored = parseStored(text)
  const list = stored && parseKeyList(stored.keys.join('\n'))
  if (!stored || !list || typeof list === 'string') throw damaged
  return { serial: stored.serial, keys: list.keys }
}

function parseStored(text: string): Stored | undefined {
  try {
    const stored = JSON.parse(text) as Stored
    return Number.isSafeInteger(stored.serial) && Array.isArray(stored.keys) ? stored : undefined
  } catch {
    return undefined
  }
}

export async function writePinnedKeys(
  { platform: { files }, trustedKeys }: StateFolder,
  { serial, keys }: PinnedKeys,
): Promise<void> {
  if (keys.length === 0) return removeDurably(files, trustedKeys)
  await writeDurably(files, trustedKeys, { serial, keys: keys.map(({ text }) => text) } satisfies Stored)
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
  const list = parseKeyList(trustedKeys)
  if (typeof list === 'string') return log(`The setting trustedKeys is ignored: ${list}.`, 'ConfigurationRefused')
  const pinned = await readPinnedKeys(state)
  if (pinned && formatKeyIds(pinned.keys) === formatKeyIds(list.keys)) return
  const refusal = pinned && findRefusal(pinned, list.serial, trustedKeys, trustedKeysSignature)
  if (refusal) {
    const trusted = formatKeyIds(pinned.keys)
    return log(`The setting trustedKeys is ignored: ${refusal}. Trusted: ${trusted}.`, 'ConfigurationRefused')
  }
  await writePinnedKeys(state, { serial: list.serial ?? 0, keys: list.keys })
  log(`From now on this agent runs only what these keys have signed: ${formatKeyIds(list.keys)}.`)
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
