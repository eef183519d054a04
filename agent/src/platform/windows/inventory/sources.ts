import { compositeKey } from '@muster/text'
import { messageOf } from '../../../expected-error.ts'
import type { SourceAnswer } from '../../reports.ts'
import { ComError } from '../com/hresult.ts'
import type { Hive, RegistryValue, View } from '../registry.ts'
import type { WmiRow } from '../wmi/wmi.ts'
import type { WmiQuestion } from './questions.ts'

export type RegistryValues = Record<string, RegistryValue>

export type WmiCall = {
  namespace: string
  path: string
  method: string
  args: Record<string, number | string>
  results: readonly string[]
}

/** How the sources of Windows are asked. Each function throws if its source fails or does not exist on this system. */
export type WindowsAccess = {
  rows(question: WmiQuestion): Promise<WmiRow[]>
  call(call: WmiCall): Promise<WmiRow>
  /** Undefined if the key is absent. */
  values(hive: Hive, key: string, view: View): RegistryValues | undefined
  keys(hive: Hive, key: string, view: View): string[] | undefined
  /** The users who are signed in, at the screen or from elsewhere. */
  signedIn(): string[]
  /** The local groups of a user, including those by membership in other groups. */
  localGroups(user: string): string[]
  /** The name of the time zone in the IANA database, and the language of the account that runs the agent. */
  region(): { timeZone: string; language: string }
  /** The size of the folder for temporary files, in bytes. */
  tempBytes(): Promise<number>
}

/** The same, where a source that fails has no answer: a failing source costs its own answer, and nothing else. */
export type WindowsSources = {
  rows(question: WmiQuestion): Promise<WmiRow[] | undefined>
  call(call: WmiCall): Promise<WmiRow | undefined>
  values(hive: Hive, key: string, view?: View): Promise<RegistryValues | undefined>
  keys(hive: Hive, key: string, view?: View): Promise<string[] | undefined>
  /** The values of each key in a key. One that cannot be read is left out. */
  entries(hive: Hive, key: string, view: View): Promise<RegistryValues[] | undefined>
  signedIn(): Promise<string[] | undefined>
  localGroups(user: string): Promise<string[] | undefined>
  region(): Promise<{ timeZone: string; language: string } | undefined>
  tempBytes(): Promise<number | undefined>
}

/** Asks each source once, and records what it has answered. */
export function askOnce(access: WindowsAccess, record: (answer: SourceAnswer) => void = () => {}): WindowsSources {
  const asked = new Map<string, Promise<unknown>>()
  const ask = <T>(source: string, what: string, question: () => T | Promise<T>, describe: (answer: T) => string) => {
    const key = compositeKey(source, what)
    const known = asked.get(key) as Promise<T | undefined> | undefined
    if (known !== undefined) return known
    const answer = recorded({ source, asked: what }, question, describe, record)
    asked.set(key, answer)
    return answer
  }
  return {
    rows: (question) => {
      const { namespace, from, properties, where } = question
      const query = `SELECT ${properties.join(', ')} FROM ${from}${where ? ` WHERE ${where}` : ''}`
      return ask(`WMI ${namespace} ${from}`, query, () => access.rows(question), withFirst(count('row')))
    },
    call: (call) => {
      const { namespace, path, method, args } = call
      return ask(`WMI ${namespace} ${path}`, `${method} ${JSON.stringify(args)}`, () => access.call(call), shown)
    },
    values: (hive, key, view = 64) => {
      const source = `Registry ${view} ${hive}\\${key}`
      const describe = (values: RegistryValues | undefined) =>
        values ? `${count('value')(Object.keys(values))}: ${shown(values)}` : keyIsAbsent
      return ask(source, 'its values', () => access.values(hive, key, view), describe)
    },
    keys: (hive, key, view = 64) => {
      const source = `Registry ${view} ${hive}\\${key}`
      const describe = (keys: string[] | undefined) => (keys ? count('key')(keys) : keyIsAbsent)
      return ask(source, 'the names of the keys in it', () => access.keys(hive, key, view), describe)
    },
    entries: (hive, key, view) => {
      const source = `Registry ${view} ${hive}\\${key}`
      const describe = (entries: RegistryValues[] | undefined) =>
        entries ? withFirst(count('entry', 'entries'))(entries) : keyIsAbsent
      return ask(source, 'the values of each key in it', () => readEntries(access, hive, key, view), describe)
    },
    signedIn: () => ask('Sessions', 'who is signed in', () => access.signedIn(), withFirst(count('user'))),
    localGroups: (user) => ask('NetUserGetLocalGroups', `the groups of ${user}`, () => access.localGroups(user), shown),
    region: () =>
      ask(
        'Region',
        'time zone and language',
        () => access.region(),
        ({ timeZone, language }) => `${timeZone}, ${language}`,
      ),
    tempBytes: () =>
      ask(
        'Temporary files',
        'the size of their folder',
        () => access.tempBytes(),
        (bytes) => `${bytes} bytes`,
      ),
  }
}

function readEntries(access: WindowsAccess, hive: Hive, key: string, view: View): RegistryValues[] | undefined {
  return access.keys(hive, key, view)?.flatMap((name) => {
    try {
      const values = access.values(hive, `${key}\\${name}`, view)
      return values ? [values] : []
    } catch {
      return []
    }
  })
}

const keyIsAbsent = 'the key does not exist'

async function recorded<T>(
  question: Pick<SourceAnswer, 'source' | 'asked'>,
  ask: () => T | Promise<T>,
  describe: (answer: T) => string,
  record: (answer: SourceAnswer) => void,
): Promise<T | undefined> {
  const startedAt = performance.now()
  const milliseconds = () => Math.round(performance.now() - startedAt)
  try {
    const answer = await ask()
    const state = answer === undefined ? 'unknown' : 'ok'
    record({ ...question, answer: describe(answer), state, milliseconds: milliseconds() })
    return answer
  } catch (error) {
    const state = error instanceof ComError && error.isAbsence ? 'unknown' : 'failed'
    record({ ...question, answer: messageOf(error), state, milliseconds: milliseconds() })
    return undefined
  }
}

/** An answer as text, where the registry can have numbers of 64 bits and bytes. */
function shown(answer: unknown): string {
  return JSON.stringify(answer, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value))
}

/** How many there are, and the first of them, which a person can compare. */
const withFirst = (describe: (items: readonly unknown[]) => string) => (items: readonly unknown[]) =>
  items.length === 0 ? describe(items) : `${describe(items)}, the first: ${shown(items[0])}`

const count =
  (unit: string, units = `${unit}s`) =>
  (items: readonly unknown[]) =>
    `${items.length} ${items.length === 1 ? unit : units}`
