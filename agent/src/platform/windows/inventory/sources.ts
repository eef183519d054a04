import { messageOf } from '../../../expected-error.ts'
import type { SourceAnswer } from '../../reports.ts'
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
  const ask = <T>(source: string, key: string, question: () => T | Promise<T>, describe: (answer: T) => string) => {
    const known = asked.get(key) as Promise<T | undefined> | undefined
    if (known !== undefined) return known
    const answer = recorded(source, question, describe, record)
    asked.set(key, answer)
    return answer
  }
  return {
    rows: (question) => {
      const source = `WMI ${question.namespace} ${question.from}`
      return ask(source, source, () => access.rows(question), count('row'))
    },
    call: (call) => {
      const source = `WMI ${call.namespace} ${call.path} ${call.method}`
      return ask(
        source,
        `${source} ${JSON.stringify(call.args)}`,
        () => access.call(call),
        () => 'answered',
      )
    },
    values: (hive, key, view = 64) => {
      const source = `Registry ${view} ${hive}\\${key}`
      const describe = (values: RegistryValues | undefined) =>
        values ? count('value')(Object.keys(values)) : keyIsAbsent
      return ask(source, `${source} values`, () => access.values(hive, key, view), describe)
    },
    keys: (hive, key, view = 64) => {
      const source = `Registry ${view} ${hive}\\${key}`
      const describe = (keys: string[] | undefined) => (keys ? count('key')(keys) : keyIsAbsent)
      return ask(source, `${source} keys`, () => access.keys(hive, key, view), describe)
    },
    entries: (hive, key, view) => {
      const source = `Registry ${view} ${hive}\\${key}`
      const describe = (entries: RegistryValues[] | undefined) =>
        entries ? count('entry', 'entries')(entries) : keyIsAbsent
      return ask(source, `${source} entries`, () => readEntries(access, hive, key, view), describe)
    },
    signedIn: () => ask('Sessions', 'sessions', () => access.signedIn(), count('user')),
    localGroups: (user) =>
      ask('NetUserGetLocalGroups', `groups of ${user}`, () => access.localGroups(user), count('group')),
    region: () =>
      ask(
        'Region',
        'region',
        () => access.region(),
        ({ timeZone, language }) => `${timeZone}, ${language}`,
      ),
    tempBytes: () =>
      ask(
        'Temporary files',
        'temporary files',
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
  source: string,
  question: () => T | Promise<T>,
  describe: (answer: T) => string,
  record: (answer: SourceAnswer) => void,
): Promise<T | undefined> {
  const startedAt = performance.now()
  const milliseconds = () => Math.round(performance.now() - startedAt)
  try {
    const answer = await question()
    record({ source, answer: describe(answer), isMissing: answer === undefined, milliseconds: milliseconds() })
    return answer
  } catch (error) {
    record({ source, answer: messageOf(error), isMissing: true, milliseconds: milliseconds() })
    return undefined
  }
}

const count =
  (unit: string, units = `${unit}s`) =>
  (items: readonly unknown[]) =>
    `${items.length} ${items.length === 1 ? unit : units}`
