import { randomUUID } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { log } from '../log.ts'
import { maxReportedChoices, type UserChoice, type UserChoicesAnswer } from '../protocol.ts'
import { Refused, type ServerClient } from '../server-client.ts'
import { readStored, removeDurably, writeDurably } from './durable-file.ts'
import type { StateFolder } from './state-folder.ts'

/** While the server cannot be reached, users must not fill the disk. */
const maxStoredChoices = 100

export type Chosen =
  | { kind: 'Taken'; packageId: string }
  | { kind: 'Postponed'; untilUtc: string }
  | { kind: 'Requested'; wish: string; reason: string }

const maxUserLength = 255

/** Stores what a user has chosen until the server knows it. Returns the id of the choice; undefined if too many wait. */
export async function storeChoice(state: StateFolder, user: string, chosen: Chosen): Promise<string | undefined> {
  if ((await readdir(state.userChoices)).length >= maxStoredChoices) return undefined
  const shown = user.replaceAll('\0', '\uFFFD').slice(0, maxUserLength).toWellFormed()
  const choice = { choiceId: randomUUID(), user: shown, atUtc: new Date().toISOString(), ...chosen }
  await writeDurably(state.platform.files, pathOf(state, choice.choiceId), choice satisfies UserChoice)
  return choice.choiceId
}

/** Reports the choices of users that the server does not know yet, if there are any. Returns what became of each. */
export async function reportChoices(
  state: StateFolder,
  client: Pick<ServerClient, 'userChoices'>,
  signal?: AbortSignal,
): Promise<UserChoicesAnswer['choices']> {
  const choices = (await readChoices(state)).slice(0, maxReportedChoices)
  if (choices.length === 0) return []
  try {
    const answer = await client.userChoices(choices, signal)
    await removeChoices(state, choices)
    return answer.choices
  } catch (error) {
    // An earlier server knows no choices, and what a server cannot store now, it cannot store later.
    if (!(error instanceof Refused) || ![400, 404, 405, 413, 422].includes(error.status)) throw error
    log(`The server does not record what users have chosen. ${error.message}`)
    await removeChoices(state, choices)
    return []
  }
}

async function readChoices({ userChoices }: StateFolder): Promise<UserChoice[]> {
  const names = (await readdir(userChoices)).filter((name) => name.endsWith('.json'))
  const stored = await Promise.all(names.map((name) => readStored<UserChoice>(join(userChoices, name))))
  return stored.filter((choice) => choice !== undefined).sort((one, other) => (one.atUtc < other.atUtc ? -1 : 1))
}

async function removeChoices(state: StateFolder, choices: readonly UserChoice[]): Promise<void> {
  for (const { choiceId } of choices) await removeDurably(state.platform.files, pathOf(state, choiceId))
}

const pathOf = ({ userChoices }: StateFolder, choiceId: string) => join(userChoices, `${choiceId}.json`)
