import { readFileSync } from 'node:fs'
import { ExpectedError } from './expected-error.ts'
import {
  date,
  listOf,
  number,
  objectOf,
  optional,
  type Read,
  readBy,
  share,
  text,
  truth,
  whole,
  word,
} from './scenario-fields.ts'

export const platforms = ['windows', 'linux', 'macos'] as const
export type Platform = (typeof platforms)[number]

const BootStorm = objectOf({
  atSeconds: number(60, [0, 1e7], 'Seconds after the start'),
  share: share(1, 'How many of the computers are started'),
  withinSeconds: number(30, [0, 86_400], 'Over how many seconds their first contacts are spread'),
})

/** Everything that can be said about a simulated fleet: its defaults, its limits and what it means. */
export const scenarioFields = objectOf({
  seed: whole(1, [0, 4_294_967_295], 'The same seed gives the same computers, which decide in the same way'),
  computers: whole(100, [1, 1_000_000], 'How many computers there are, clones not counted'),
  firstNumber: whole(1, [1, 100_000_000], 'The number of the first one; several processes may share a fleet'),
  startDate: optional(date('The day that inventories and patches look back from; today unless given')),
  durationSeconds: optional(number(60, [0.1, 1e8], 'When it ends by itself; without it, on SIGINT or SIGTERM')),
  domain: word('corp.example.org', 'The domain of the computers'),
  platforms: objectOf({
    windows: share(0.78, 'How many of the computers run Windows'),
    linux: share(0.13, 'Likewise Linux'),
    macos: share(0.09, 'Likewise macOS'),
  }),
  connections: whole(32, [1, 10_000], 'Connections that all computers share; so many requests are under way at most'),
  enrolment: objectOf({
    perSecond: number(50, [0.01, 100_000], 'How many computers come in each second, until all are there'),
  }),
  contact: objectOf({
    intervalSeconds: optional(
      number(60, [0.05, 1e7], 'Time between contacts, spread by a tenth; as the server says unless given'),
    ),
  }),
  inventory: objectOf({
    isSent: truth(true, 'Whether sections of the inventory are told and sent'),
    changeMinutes: number(
      1440,
      [0.01, 1e6],
      'After how long disks and users have changed; other sections change several times slower, or never',
    ),
  }),
  patchScan: objectOf({
    everyMinutes: number(1440, [0.01, 1e6], 'Time between patch scans that the computer makes by itself'),
  }),
  work: objectOf({
    failureRate: share(0.05, 'How many attempts fail'),
    minimumSeconds: number(2, [0, 86_400], 'How long an attempt takes at least'),
    maximumSeconds: number(20, [0, 86_400], 'And at most'),
    interruptionRate: share(0.01, 'How many attempts end with a restart of the computer in the middle'),
    rebootRate: share(0.1, 'After how many successes the computer asks for a restart'),
    postponementRate: share(0.1, 'How many pieces that may be postponed are, by an hour'),
    brokenPackages: listOf(text('Its name'), 'Packages that fail on every computer, by their names'),
    downloadsFiles: truth(false, 'Whether the files of packages are fetched, from depots first, and thrown away'),
  }),
  reboots: objectOf({
    perDay: number(1, [0, 10_000], 'How often a computer is started anew, on average'),
    downSeconds: number(45, [0, 86_400], 'How long that takes'),
  }),
  bootStorms: listOf(BootStorm, 'Times at which many computers are started at once'),
  duplicates: objectOf({
    clones: share(0, 'How many computers have a copy that uses the same credential'),
    refused: share(0, 'How many have a twin with the same UUID that tries to enrol, and is refused'),
  }),
  clockSkew: objectOf({
    share: share(0, 'How many computers have a wrong clock'),
    maximumMinutes: number(90, [0, 1e6], 'By how much at most, in either direction'),
  }),
  network: objectOf({
    lostRate: share(
      0,
      'How many requests are lost: a third before they are sent, a third with their answer, a third in between',
    ),
  }),
  shares: objectOf({
    silent: share(0, 'How many computers are not heard of any more after they have sent everything once'),
    suspended: share(0.03, 'How many have a suspended agent'),
    rebootRequired: share(0.08, 'How many ask for a restart from the beginning'),
    withoutInventory: share(0.02, 'How many never send an inventory'),
  }),
})

export type Scenario = Read<typeof scenarioFields>

/** What a scenario says, with defaults for what it leaves out. Anything that makes no sense is told with its place. */
export function readScenario(said: unknown): Scenario {
  const faults: string[] = []
  const scenario = readBy(scenarioFields, said, '', faults)
  if (faults.length === 0) faults.push(...contradictions(scenario))
  if (faults.length > 0)
    throw new ExpectedError(`The scenario is not in order:\n${faults.map((fault) => `  ${fault}`).join('\n')}`)
  return scenario
}

export function readScenarioFile(path: string): unknown {
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (error) {
    throw new ExpectedError(`The scenario ${path} cannot be read: ${(error as Error).message}.`)
  }
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new ExpectedError(`The scenario ${path} is no JSON: ${(error as Error).message}.`)
  }
}

function contradictions({ work, platforms, computers, firstNumber }: Scenario): string[] {
  const total = platforms.windows + platforms.linux + platforms.macos
  return [
    ...(work.minimumSeconds > work.maximumSeconds ? ['work.minimumSeconds is more than work.maximumSeconds.'] : []),
    ...(Math.abs(total - 1) > 0.001 ? [`platforms must be 1 together, not ${Math.round(total * 1000) / 1000}.`] : []),
    ...(firstNumber + computers > 2 ** 31 ? ['firstNumber and computers are too large together.'] : []),
  ]
}
