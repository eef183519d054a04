import { readFileSync } from 'node:fs'
import { ExpectedError } from './expected-error.ts'
import {
  date,
  flag,
  listOf,
  number,
  objectOf,
  optional,
  type Read,
  readField,
  share,
  text,
  unspacedText,
  wholeNumber,
} from './scenario-fields.ts'

export const platforms = ['windows', 'linux', 'macos'] as const
export type Platform = (typeof platforms)[number]

const BootStorm = objectOf({
  atSeconds: number(60, [0, 1e7], 'Time of the boot storm in seconds after the start'),
  share: share(1, 'Share of computers that start'),
  withinSeconds: number(30, [0, 86_400], 'Period over which their first contacts are spread'),
})

/** All fields of a scenario, with their meanings, limits and defaults. */
export const scenarioFields = objectOf({
  seed: wholeNumber(1, [0, 4_294_967_295], 'The same seed gives the same computers, which make the same decisions'),
  computers: wholeNumber(100, [1, 1_000_000], 'Number of computers, without clones'),
  firstNumber: wholeNumber(
    1,
    [1, 100_000_000],
    'Number of the first computer; it lets several processes share one fleet',
  ),
  startDate: optional(date('Date from which the ages of inventories and patches count back; null: today')),
  durationSeconds: optional(number(60, [0.1, 1e8], 'Duration of the run; null: until SIGINT or SIGTERM')),
  domain: unspacedText('corp.example.org', 'Domain of the computers'),
  platforms: objectOf({
    windows: share(0.78, 'Share of computers that run Windows'),
    linux: share(0.13, 'Share of computers that run Linux'),
    macos: share(0.09, 'Share of computers that run macOS'),
  }),
  connections: wholeNumber(
    32,
    [1, 10_000],
    'Connections that all computers share, and thus the maximum number of concurrent requests',
  ),
  enrolment: objectOf({
    perSecond: number(50, [0.01, 100_000], 'Computers that enrol per second, until all are enrolled'),
  }),
  contact: objectOf({
    intervalSeconds: optional(
      number(60, [0.05, 1e7], 'Time between two contacts, varied by up to 10 %; null: as the server requests'),
    ),
    connectedShare: share(0, 'Share of computers that keep a wake connection'),
  }),
  inventory: objectOf({
    isSent: flag(true, 'Whether computers report and send the sections of their inventory'),
    changeMinutes: number(
      1440,
      [0.01, 1e6],
      'Time after which disks and users change; other sections change several times more slowly or never',
    ),
  }),
  patchScan: objectOf({
    everyMinutes: number(1440, [0.01, 1e6], 'Time between the patch scans that a computer starts by itself'),
  }),
  work: objectOf({
    failureRate: share(0.05, 'Share of attempts that fail'),
    minimumSeconds: number(2, [0, 86_400], 'Minimum duration of an attempt'),
    maximumSeconds: number(20, [0, 86_400], 'Maximum duration of an attempt'),
    interruptionRate: share(0.01, 'Share of attempts that a restart of the computer interrupts'),
    rebootRate: share(0.1, 'Share of successful attempts after which the computer requires a restart'),
    postponementRate: share(0.1, 'Share of postponable work items that are postponed, by an hour'),
    openProgramRate: share(
      0.1,
      'Share of work items with a deadline that wait, by an hour, because a program is open that they would close',
    ),
    singleRequestShare: share(
      0,
      'Share of computers with an earlier agent, which starts and reports each work item by requests of its own',
    ),
    brokenPackages: listOf(text('Name of the package'), 'Names of packages that fail on every computer'),
    downloadsFiles: flag(
      false,
      'Whether computers download the files of packages, first from depots, and discard them',
    ),
  }),
  users: objectOf({
    choiceRate: share(
      0,
      'Share of contacts after which the user of the computer takes an optional package, or asks for one if none is offered',
    ),
    removalRate: share(
      0,
      'Share of contacts after which the user removes a package by hand that the agent has installed',
    ),
  }),
  reboots: objectOf({
    perDay: number(1, [0, 10_000], 'Average number of restarts of a computer per day'),
    downSeconds: number(45, [0, 86_400], 'Duration of a restart'),
  }),
  bootStorms: listOf(BootStorm, 'Times at which many computers start at once'),
  duplicates: objectOf({
    clones: share(0, 'Share of computers with a clone that uses the same credential'),
    refused: share(0, 'Share of computers with a twin of the same UUID whose enrolment is refused'),
  }),
  clockSkew: objectOf({
    share: share(0, 'Share of computers with a wrong clock'),
    maximumMinutes: number(90, [0, 1e6], 'Maximum deviation of a wrong clock, in either direction'),
  }),
  network: objectOf({
    lostRate: share(
      0,
      'Share of requests that are lost: a third before they are sent, a third while they are under way, a third with their answer',
    ),
  }),
  shares: objectOf({
    silent: share(0, 'Share of computers that make no more contacts after they have sent everything once'),
    suspended: share(0.03, 'Share of computers with a suspended agent'),
    rebootRequired: share(0.08, 'Share of computers that require a restart from the beginning'),
    withoutInventory: share(0.02, 'Share of computers that never send an inventory'),
  }),
})

export type Scenario = Read<typeof scenarioFields>

/** Validates a scenario and fills in the defaults. The error lists all mistakes with their paths. */
export function readScenario(input: unknown): Scenario {
  const errors: string[] = []
  const scenario = readField(scenarioFields, input, '', errors)
  if (errors.length === 0) errors.push(...contradictions(scenario))
  if (errors.length > 0)
    throw new ExpectedError(`The scenario is invalid:\n${errors.map((error) => `  ${error}`).join('\n')}`)
  return scenario
}

export function readScenarioFile(path: string): unknown {
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (error) {
    throw new ExpectedError(`Cannot read the scenario ${path}: ${(error as Error).message}.`)
  }
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new ExpectedError(`The scenario ${path} is not valid JSON: ${(error as Error).message}.`)
  }
}

function contradictions({ work, platforms, computers, firstNumber }: Scenario): string[] {
  const total = platforms.windows + platforms.linux + platforms.macos
  return [
    ...(work.minimumSeconds > work.maximumSeconds
      ? ['work.minimumSeconds must not be greater than work.maximumSeconds.']
      : []),
    ...(Math.abs(total - 1) > 0.001
      ? [`The shares in platforms must add up to 1, not ${Math.round(total * 1000) / 1000}.`]
      : []),
    ...(firstNumber + computers > 2 ** 31 ? ['The sum of firstNumber and computers is too large.'] : []),
  ]
}
