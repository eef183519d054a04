import { readFile } from 'node:fs/promises'
import { print } from '@muster/text/print'
import { ExpectedError, messageOf } from '../expected-error.ts'
import { parseKeyList } from '../signing/key-list.ts'
import { type PublicKey, parsePublicKey } from '../signing/minisign.ts'
import { readPinnedKeys, readPinnedKeysToReplace, writePinnedKeys } from '../signing/pinned-keys.ts'
import { prepareStateFolder, type StateFolder } from '../state/state-folder.ts'

/** Adds and removes pinned keys, and prints those that are pinned then. */
export async function trustKey(
  state: StateFolder,
  added: readonly string[],
  removedIds: readonly string[],
): Promise<void> {
  await prepareStateFolder(state)
  // Keys that are lost can only be named again.
  if (added.length === 0) await readPinnedKeys(state)
  const pinned = await readPinnedKeysToReplace(state)
  const removed = removedIds.map((id) => id.toUpperCase())
  const unknown = removed.find((id) => !pinned.keys.some(({ keyId }) => keyId === id))
  if (unknown !== undefined) throw new ExpectedError(`No pinned key has the id ${unknown}.`)
  if (added.length > 0 || removed.length > 0) {
    const kept = pinned.keys.filter(({ keyId }) => !removed.includes(keyId))
    const fresh = (await readKeys(added)).filter(({ text }) => !kept.some((key) => key.text === text))
    const keys = [...kept, ...fresh]
    const isPinned = (id: string) => keys.some(({ keyId }) => keyId === id)
    const goneIds = [...new Set([...pinned.removedIds, ...removed])].filter((id) => !isPinned(id))
    await writePinnedKeys(state, { serial: pinned.serial, keys, removedIds: goneIds })
  }
  print(await describePinnedKeys(state))
}

/** Pins exactly these keys, in place of those of an earlier enrolment. */
export async function pinKeysOfEnrolment(state: StateFolder, given: readonly string[]): Promise<void> {
  if (given.length === 0) return
  const { serial } = await readPinnedKeysToReplace(state)
  await writePinnedKeys(state, { serial, keys: await readKeys(given), removedIds: [] })
}

async function describePinnedKeys(state: StateFolder): Promise<string> {
  const pinned = await readPinnedKeys(state)
  if (!pinned) return 'No key is pinned: the agent runs packages without a signature.'
  const lines = pinned.keys.map(({ keyId, text }) => `${keyId} ${text}`)
  return `The agent runs only what one of these keys has signed (serial ${pinned.serial}):\n${lines.join('\n')}`
}

/** Reads keys; each is given as such or as the name of a key file. */
async function readKeys(given: readonly string[]): Promise<PublicKey[]> {
  const keys: PublicKey[] = []
  for (const one of given) {
    const text = parsePublicKey(one) ? one : await readFile(one, 'utf8').catch(asExpected(one))
    const list = parseKeyList(text)
    if (typeof list === 'string') throw new ExpectedError(`${one} cannot be trusted: ${list}.`)
    keys.push(...list.keys)
  }
  return keys
}

const asExpected = (given: string) => (error: unknown) => {
  throw new ExpectedError(`'${given}' is neither a public key of minisign nor a key file: ${messageOf(error)}.`)
}
