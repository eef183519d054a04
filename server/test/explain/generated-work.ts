import fc from 'fast-check'

/** A work item as a computer may have it. Times are minutes from now. */
export type GeneratedItem = {
  kind: 'Install' | 'Update' | 'Uninstall' | 'Reinstall' | 'Refresh' | 'Power'
  /** Null: work without a package. */
  name: string | null
  requires: string[]
  conflicts: string[]
  /** Packages that are uninstalled first. */
  supersedes: string[]
  /** Whether it is uninstalled for a package that supersedes it. */
  isBrought: boolean
  /** Whether the computer meets the conditions of the package. */
  isForComputer: boolean
  installed: boolean
  isOperational: boolean
  hashState: 'None' | 'Current' | 'Mismatch'
  isPreOs: boolean
  isOptional: boolean
  optionalMinutes: number | null
  attempt: number
  notBefore: number | 'never'
  delayedBy: 'User' | 'Retry' | 'ProgramsOpen' | null
  /** The end of the window; null: no window. */
  windowMinutes: number | null
  /** Whether another window follows. */
  hasNextWindow: boolean
  lease: { minutes: number; isOwnRun: boolean; isStarted: boolean } | null
  /** The state of the rollout that has created the work, and whether its maintenance window is open; null: none. */
  rollout: { state: 'Running' | 'Paused' | 'Cancelled'; opensInMinutes: number | null } | null
}

const names = ['a', 'b', 'c', 'd', 'e', 'f']

/** Nearly always the usual value so that items are often free. */
const usually = <T>(usual: T, ...others: T[]) =>
  fc.oneof({ weight: 6, arbitrary: fc.constant(usual) }, { weight: 2, arbitrary: fc.constantFrom(...others) })

const lease = fc.record({ minutes: fc.constantFrom(-5, 5, 12), isOwnRun: fc.boolean(), isStarted: fc.boolean() })

const common = {
  attempt: usually(1, 3, 10, 12),
  notBefore: usually<number | 'never'>(-5, 7, 20, 200, 'never'),
  delayedBy: usually<GeneratedItem['delayedBy']>(null, 'User', 'Retry', 'ProgramsOpen'),
  lease: fc.option(lease, { freq: 4 }),
  rollout: fc.option(
    fc.record({
      state: usually<'Running' | 'Paused' | 'Cancelled'>('Running', 'Paused', 'Cancelled'),
      opensInMinutes: fc.constantFrom(null, -60, 180),
    }),
    { freq: 3 },
  ),
}

const withPackage = (name: string) =>
  fc.record({
    ...common,
    kind: usually<GeneratedItem['kind']>('Install', 'Update', 'Uninstall', 'Reinstall'),
    name: fc.constant(name),
    requires: usually<string[]>([], ['a'], ['b', 'c']),
    conflicts: usually<string[]>([], ['d'], ['e', 'f']).map((others) => others.filter((other) => other !== name)),
    supersedes: usually<string[]>([], ['b'], ['f']).map((others) => others.filter((other) => other !== name)),
    isBrought: fc.boolean(),
    isForComputer: usually(true, false),
    installed: fc.boolean(),
    isOperational: usually(true, false),
    hashState: usually<GeneratedItem['hashState']>('Current', 'None', 'Mismatch'),
    isPreOs: usually(false, true),
    isOptional: usually(false, true),
    optionalMinutes: fc.constantFrom(null, -5, 5),
    windowMinutes: usually<number | null>(null, -3, 30),
    hasNextWindow: fc.boolean(),
  })

const withoutPackage = (kind: 'Refresh' | 'Power') =>
  fc.record({ ...common }).map((item) => ({
    ...item,
    kind,
    name: null,
    requires: [],
    conflicts: [],
    supersedes: [],
    isBrought: false,
    isForComputer: true,
    installed: false,
    isOperational: true,
    hashState: 'Current' as const,
    isPreOs: false,
    isOptional: false,
    optionalMinutes: null,
    windowMinutes: null,
    hasNextWindow: false,
  }))

/** What is leased was due before. */
const toPossible = (item: GeneratedItem): GeneratedItem =>
  item.lease ? { ...item, attempt: Math.max(1, item.attempt), notBefore: -5, delayedBy: null } : item

const item = (name: string) => fc.option(withPackage(name), { freq: 2, nil: undefined })

export const generatedComputer = fc
  .record({
    packages: fc.tuple(...names.map(item)),
    refresh: fc.option(withoutPackage('Refresh'), { freq: 1, nil: undefined }),
    power: fc.option(withoutPackage('Power'), { freq: 1, nil: undefined }),
    suspendedMinutes: usually<number | null>(null, -5, 15),
    isFrozen: usually(false, true),
  })
  .map(({ packages, refresh, power, suspendedMinutes, isFrozen }) => ({
    items: [...packages, refresh, power].filter((found) => found !== undefined).map(toPossible),
    suspendedMinutes,
    isFrozen,
  }))

/** A schedule whose window ends when the item says; another one may follow in three hours. */
export function toSchedule({ windowMinutes, hasNextWindow, notBefore }: GeneratedItem): string {
  if (windowMinutes === null) return notBefore === 'never' ? 'UNTIL=2020-01-01T00:00:00Z' : ''
  if (!hasNextWindow) return 'UNTIL=2020-01-01T00:00:00Z'
  const at = new Date(Date.now() + 180 * 60_000)
  return `CRON=${at.getUTCMinutes()} ${at.getUTCHours()} * * *;DURATION=5`
}

const free: GeneratedItem = {
  kind: 'Install',
  name: 'free',
  requires: [],
  conflicts: [],
  supersedes: [],
  isBrought: false,
  isForComputer: true,
  installed: false,
  isOperational: true,
  hashState: 'Current',
  isPreOs: false,
  isOptional: false,
  optionalMinutes: null,
  attempt: 1,
  notBefore: -5,
  delayedBy: null,
  windowMinutes: null,
  hasNextWindow: false,
  lease: null,
  rollout: null,
}

const changes: Partial<GeneratedItem>[] = [
  {},
  { isOperational: false },
  { hashState: 'None' },
  { hashState: 'Mismatch' },
  { attempt: 10 },
  { requires: ['unknown'] },
  { kind: 'Uninstall', name: 'required' },
  { kind: 'Uninstall', requires: ['required'] },
  { name: 'present', installed: true, kind: 'Update' },
  { conflicts: ['present'] },
  { supersedes: ['present'] },
  { kind: 'Uninstall', isBrought: true },
  { kind: 'Uninstall', isBrought: true, name: 'withheld' },
  { isOperational: false, supersedes: ['withheld'] },
  { isForComputer: false },
  { isPreOs: true },
  { isOptional: true, optionalMinutes: -5 },
  { isOptional: true, attempt: 0 },
  { notBefore: 7, delayedBy: 'User' },
  { notBefore: 20, delayedBy: 'Retry' },
  { notBefore: 30, delayedBy: 'ProgramsOpen' },
  { notBefore: 20 },
  { windowMinutes: -3, hasNextWindow: true },
  { lease: { minutes: 5, isOwnRun: true, isStarted: true } },
  { rollout: { state: 'Paused', opensInMinutes: null } },
  { rollout: { state: 'Cancelled', opensInMinutes: null } },
  { rollout: { state: 'Running', opensInMinutes: 180 } },
  { rollout: { state: 'Running', opensInMinutes: -60 } },
]

/** Computers that meet every rule at least once. */
export const exampleComputers = [
  {
    items: changes.map((change, place) => ({ ...free, name: `package ${place}`, ...change })),
    suspendedMinutes: null,
    isFrozen: false,
  },
  { items: [free], suspendedMinutes: 15, isFrozen: false },
  { items: [free], suspendedMinutes: null, isFrozen: true },
]
