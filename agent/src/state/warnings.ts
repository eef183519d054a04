import { findPowerAction, type PowerAction } from '../platform/machine.ts'
import type { WorkChoice, WorkItem } from '../protocol.ts'
import { readStored, writeDurably } from './durable-file.ts'
import type { StateFolder } from './state-folder.ts'

/** Work with a deadline that waits on this computer, or is about to begin. */
export type Warning = {
  workId: number
  kind: WorkItem['kind']
  package: { name: string; version: string } | null
  /** What happens to the computer; absent for packages. */
  power?: PowerAction | undefined
  /** Whether people are not to see it. */
  isHidden: boolean
  deadlineUtc: string
  /** Why it waits; null if it does not. */
  reason: WorkChoice['choice'] | null
  /** When it continues. */
  untilUtc: string | null
  /** How often it can still be postponed. */
  remaining: number
  /** Programs that must be closed. */
  programs: string[]
  /** When people were last notified about open programs. */
  notifiedUtc: string | null
}

/** What is stored about one, including the choices that the server does not know yet. */
type StoredWarning = Warning & { choices: WorkChoice[] }

/** Whatever a server hands out, a file of this size is read and written quickly. */
const maxStored = 100
const maxChoices = 20
/** After its deadline, work is done or cancelled, even if the agent has not heard of that. */
const keptMs = 6 * 60 * 60_000

async function readWarnings({ userDeadlines }: StateFolder): Promise<StoredWarning[]> {
  const stored = await readStored<StoredWarning[]>(userDeadlines)
  return Array.isArray(stored) ? stored : []
}

async function writeWarnings(state: StateFolder, warnings: readonly StoredWarning[]): Promise<void> {
  const current = warnings.filter(({ deadlineUtc }) => Date.parse(deadlineUtc) > Date.now() - keptMs)
  await writeDurably(state.platform.files, state.userDeadlines, current.slice(-maxStored))
}

/** The work about which the people at this computer may want to know, the next deadline first. */
export async function listWarnings(state: StateFolder): Promise<Warning[]> {
  const stored = await readWarnings(state)
  return stored
    .map(({ choices: _, ...warning }) => warning)
    .sort((one, other) => Date.parse(one.deadlineUtc) - Date.parse(other.deadlineUtc))
}

/** What is stored about a work item, with these changes. */
export async function storeWarning(
  state: StateFolder,
  item: WorkItem,
  changes: Partial<Omit<Warning, 'workId'>> = {},
): Promise<void> {
  const stored = await readWarnings(state)
  const known = stored.find(({ workId }) => workId === item.workId)
  const warning: StoredWarning = {
    reason: null,
    untilUtc: null,
    programs: [],
    notifiedUtc: null,
    choices: [],
    ...known,
    workId: item.workId,
    kind: item.kind,
    package: item.package && { name: item.package.name, version: item.package.version },
    power: findPowerAction(item.power),
    isHidden: item.hidden,
    deadlineUtc: item.userDeadline?.deadlineUtc ?? new Date().toISOString(),
    remaining: item.postponable.remaining,
    ...changes,
  }
  await writeWarnings(state, [...stored.filter(({ workId }) => workId !== item.workId), warning])
}

export async function findWarning(state: StateFolder, workId: number): Promise<Warning | undefined> {
  return (await readWarnings(state)).find((warning) => warning.workId === workId)
}

/** Remembers a choice until the server knows it. */
export async function addChoice(state: StateFolder, workId: number, choice: WorkChoice): Promise<void> {
  const stored = await readWarnings(state)
  const warning = stored.find((one) => one.workId === workId)
  if (!warning) return
  warning.choices = [...warning.choices, choice].slice(-maxChoices)
  await writeWarnings(state, stored)
}

/** The choices that the server does not know yet. They stay until they are removed. */
export async function listChoices(state: StateFolder, workId: number): Promise<WorkChoice[]> {
  return (await readWarnings(state)).find((one) => one.workId === workId)?.choices ?? []
}

export async function removeChoices(state: StateFolder, workId: number): Promise<void> {
  const stored = await readWarnings(state)
  const warning = stored.find((one) => one.workId === workId)
  if (!warning || warning.choices.length === 0) return
  warning.choices = []
  await writeWarnings(state, stored)
}

/** The work item is done, or the agent does not have it any more. */
export async function removeWarning(state: StateFolder, workId: number): Promise<void> {
  const stored = await readWarnings(state)
  if (stored.some((one) => one.workId === workId))
    await writeWarnings(
      state,
      stored.filter((one) => one.workId !== workId),
    )
}

/** A presentation suspends the agent no longer than until the first deadline of work that waits. */
export async function findNextDeadline(state: StateFolder): Promise<Date | null> {
  const [first] = await listWarnings(state)
  return first ? new Date(first.deadlineUtc) : null
}
