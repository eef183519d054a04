import { setTimeout as sleep } from 'node:timers/promises'
import type { Fault } from './begin-fault.ts'
import type { Cell } from './cells.ts'
import { findBrokenPromises } from './ledger.ts'
import { type Load, type LoadSize, startLoad } from './load.ts'
import type { Operation } from './operations.ts'
import { type Readiness, watchReadiness } from './readiness.ts'
import type { World } from './world.ts'

/** The bounds that are promised, in seconds. */
export const promises = {
  p99OfOthers: 1,
  untilReadyIsFalse: 10,
  untilReadyIsTrue: 5,
  untilStopped: 10,
  /** From the end of the fault until everything that clients began has succeeded, retries included. */
  untilRecovered: 20,
}

export type CellOptions = { version: 'short' | 'long'; seconds: number; warmUpSeconds: number; load: LoadSize }

export type CellResult = {
  cell: Cell
  /** Each is a sentence about a promise that was not kept. */
  failures: string[]
  figures: {
    operations: number
    others: number
    p99OfOthers: number
    p99OfConcerned: number
    refused: number
    unanswered: number
    untilReadyIsFalse: number | undefined
    untilReadyIsTrue: number | undefined
    untilStopped: number | undefined
  }
}

type Course = {
  load: Load
  readiness: Readiness
  fault: Fault
  beganAt: number
  endedAt: number
  unfinished: Operation[]
}

/** Tries one fault under load, and checks every promise. */
export async function runCell(world: World, cell: Cell, options: CellOptions): Promise<CellResult> {
  await world.arrange(cell.arrangement)
  const course = await runCourse(world, cell, options)
  const failures = [...checkAnswers(cell, course), ...checkReadiness(cell, course)]
  if (world.service().hasEnded()) failures.push('The service has ended.')
  else failures.push(...(await checkPromises(world, course)))
  // What a failed cell leaves behind must not fail the next one.
  if (failures.length > 0) await world.restartService()
  const untilStopped = needsStop(cell, options) ? await stopDuringFault(world, cell, options) : undefined
  if (untilStopped !== undefined && untilStopped > promises.untilStopped)
    failures.push(`SIGTERM during the fault ended the service after ${untilStopped.toFixed(1)} s.`)
  return { cell, failures, figures: figuresOf(course, untilStopped) }
}

function needsStop({ stops }: Cell, { version }: CellOptions): boolean {
  return stops === 'in both versions' || (stops !== undefined && version === 'long')
}

async function runCourse(
  world: World,
  cell: Cell,
  { seconds, warmUpSeconds, load: size }: CellOptions,
): Promise<Course> {
  const { address } = world.service()
  const load = startLoad(address, world.fleet, size)
  const readiness = watchReadiness(address)
  await sleep(1000 * warmUpSeconds)
  const beganAt = performance.now()
  const fault = await cell.begin(world, load)
  await sleep(1000 * seconds)
  const hasTurnedFalse = () => readiness.secondsUntilFalse(beganAt, performance.now()) !== undefined
  if (cell.ready === 'turns false') await waitFor(hasTurnedFalse, beganAt + 1000 * promises.untilReadyIsFalse)
  const endedAt = performance.now()
  await fault.end()
  const isTrueAgain = () => !readiness.isSupported() || readiness.secondsUntilTrue(endedAt) !== undefined
  await waitFor(isTrueAgain, endedAt + 2000 * promises.untilReadyIsTrue)
  const unfinished = await load.stop(promises.untilRecovered)
  await readiness.stop()
  return { load, readiness, fault, beganAt, endedAt, unfinished }
}

async function waitFor(isMet: () => boolean, latest: number): Promise<void> {
  while (!isMet() && performance.now() < latest) await sleep(50)
}

function checkAnswers(cell: Cell, course: Course): string[] {
  const failures: string[] = []
  const { load, unfinished } = course
  const attempts = load.operations.flatMap(({ attempts, name }) => attempts.map((attempt) => ({ ...attempt, name })))
  const outcomes = countBy(attempts, ({ outcome, name, code }) => `${name}: ${outcome} ${code}`.trim())
  for (const [outcome, count] of outcomes) {
    const isDropped = /: (ECONN|EPIPE|socket hang up)/.test(outcome)
    const isExpected = /: (2\d\d|503|401)\b/.test(outcome) || (cell.mayDropConnections && isDropped)
    if (!isExpected) failures.push(`${count} × ${outcome}`)
  }
  if (unfinished.length > 0)
    failures.push(
      `${unfinished.length} operations did not succeed within ${promises.untilRecovered} s after the fault.`,
    )
  if (course.fault.isVisible?.(load.operations) === false) failures.push('The fault had no effect.')
  if (cell.takesDatabase) return failures
  const others = othersDuringFault(course)
  const p99 = percentile(others.map(secondsOf), 0.99)
  if (p99 >= promises.p99OfOthers)
    failures.push(`The p99 of ${others.length} operations of other computers is ${p99.toFixed(2)} s.`)
  const refused = others.filter(isRefused)
  if (!cell.mayRefuseOthers && refused.length > 0)
    failures.push(`${refused.length} operations of other computers got 503.`)
  return failures
}

function checkReadiness({ ready }: Cell, { readiness, beganAt, endedAt }: Course): string[] {
  if (!readiness.isSupported()) return ['There is no /health/ready.']
  const untilFalse = readiness.secondsUntilFalse(beganAt, endedAt)
  const untilTrue = readiness.secondsUntilTrue(endedAt)
  const failures: string[] = []
  if (ready === 'turns false' && (untilFalse === undefined || untilFalse > promises.untilReadyIsFalse))
    failures.push(`/health/ready did not turn false within ${promises.untilReadyIsFalse} s.`)
  // A single probe may fail on a busy machine.
  if (ready === 'stays true' && readiness.maxSecondsFalse(beganAt, endedAt) > 0)
    failures.push('/health/ready turned false.')
  if (untilTrue === undefined || untilTrue > promises.untilReadyIsTrue)
    failures.push(`/health/ready was true again ${untilTrue?.toFixed(1) ?? 'not within 10'} s after the fault.`)
  return failures
}

async function checkPromises({ fleet }: World, { load }: Course): Promise<string[]> {
  await fleet.authorization.renew(fleet.authorization.header())
  return findBrokenPromises(load.ledger, load.prefix, load.startedAt, fleet.api).catch((error: Error) => [
    `The acknowledged changes cannot be read: ${error.message}`,
  ])
}

/** Returns after how many seconds the service has ended. */
async function stopDuringFault(world: World, cell: Cell, { load: size }: CellOptions): Promise<number> {
  const load = startLoad(world.service().address, world.fleet, size)
  await sleep(500)
  const fault = await cell.begin(world, load)
  await sleep(1_000)
  const service = world.service()
  const timer = setTimeout(() => service.signal('SIGKILL'), 2000 * promises.untilStopped)
  const { seconds } = await service.end('SIGTERM')
  clearTimeout(timer)
  await fault.end()
  await load.stop(0)
  await world.restartService()
  return seconds
}

function figuresOf(course: Course, untilStopped: number | undefined): CellResult['figures'] {
  const { load, readiness, beganAt, endedAt } = course
  const others = othersDuringFault(course)
  const concerned = duringFault(course).filter((operation) => !others.includes(operation))
  const attempts = load.operations.flatMap(({ attempts }) => attempts)
  return {
    operations: load.operations.length,
    others: others.length,
    p99OfOthers: percentile(others.map(secondsOf), 0.99),
    p99OfConcerned: percentile(concerned.map(secondsOf), 0.99),
    refused: attempts.filter(({ outcome }) => outcome === 503).length,
    unanswered: attempts.filter(({ outcome }) => typeof outcome === 'string').length,
    untilReadyIsFalse: readiness.isSupported() ? readiness.secondsUntilFalse(beganAt, endedAt) : undefined,
    untilReadyIsTrue: readiness.isSupported() ? readiness.secondsUntilTrue(endedAt) : undefined,
    untilStopped,
  }
}

/** Operations that were under way at any time of the fault. */
function duringFault({ load, beganAt, endedAt }: Course): Operation[] {
  return load.operations.filter(({ at, succeededAt }) => at < endedAt && (succeededAt ?? endedAt) > beganAt)
}

function othersDuringFault(course: Course): Operation[] {
  return duringFault(course).filter((operation) => !course.fault.concerns?.(operation))
}

/** From the first attempt to the success, waiting for retries included. */
function secondsOf({ at, succeededAt, attempts }: Operation): number {
  const last = attempts.at(-1)
  return ((succeededAt ?? (last ? last.at + last.milliseconds : at)) - at) / 1000
}

function isRefused({ attempts }: Operation): boolean {
  return attempts.some(({ outcome }) => outcome === 503)
}

function percentile(values: number[], share: number): number {
  return values.toSorted((a, b) => a - b)[Math.ceil(values.length * share) - 1] ?? 0
}

function countBy<T>(items: readonly T[], keyOf: (item: T) => string): Map<string, number> {
  const counts = new Map<string, number>()
  for (const item of items) counts.set(keyOf(item), (counts.get(keyOf(item)) ?? 0) + 1)
  return counts
}
