import type { Fault } from './begin-fault.ts'
import type { Cell } from './cell.ts'
import type { Load } from './load.ts'
import type { Operation } from './operations.ts'
import type { Readiness } from './readiness.ts'

/** What happened before, during and after a fault. Times are those of `performance.now()`. */
export type Course = {
  load: Load
  readiness: Readiness
  fault: Fault
  beganAt: number
  endedAt: number
  unfinished: Operation[]
}

/** The bounds that are promised, in seconds. */
export const promises = {
  p99OfOthers: 1,
  /** On a machine that needs most of a second without a fault: the p99 of others, compared to the time before the fault. */
  slowdownOfOthers: 3,
  untilReadyIsFalse: 10,
  untilReadyIsTrue: 5,
  untilStopped: 10,
  /** From the end of the fault until everything that clients began has succeeded: after a deadline, and a retry. */
  untilRecovered: 30,
}

/** A promise that was not kept. `late`: only a time was exceeded, which a busy machine may cause. */
export type Failure = { kind: 'broken' | 'late'; sentence: string }

const broken = (sentence: string): Failure => ({ kind: 'broken', sentence })
const late = (sentence: string): Failure => ({ kind: 'late', sentence })

export function checkAnswers(cell: Cell, course: Course): Failure[] {
  const { load, fault, unfinished } = course
  const failures = findUnexpectedOutcomes(cell, load.operations)
  if (fault.isVisible?.(load.operations) === false) failures.push(broken('The fault had no effect.'))
  if (unfinished.length > 0)
    failures.push(late(`${unfinished.length} operations did not succeed within ${promises.untilRecovered} s.`))
  if (cell.takesDatabase) return failures
  const others = othersDuringFault(course)
  const p99 = p99Of(others, cell.maxInProgress)
  const before = p99BeforeFault(course)
  if (p99 >= Math.max(promises.p99OfOthers, promises.slowdownOfOthers * before))
    failures.push(
      late(
        `The p99 of ${others.length} operations of other computers is ${p99.toFixed(2)} s, and was ${before.toFixed(2)} s before: ${describeSlow(others)}.`,
      ),
    )
  const refused = others.filter(isRefused)
  if (!cell.mayRefuseOthers && refused.length > 0)
    failures.push(broken(`${refused.length} operations of other computers got a 503: ${describeRefused(refused)}.`))
  return failures
}

function findUnexpectedOutcomes(cell: Cell, operations: readonly Operation[]): Failure[] {
  const counts = new Map<string, number>()
  for (const { name, attempts } of operations)
    for (const { outcome, code } of attempts) {
      if (isExpected(outcome, cell)) continue
      const key = `${name}: ${outcome} ${code}`.trim()
      counts.set(key, (counts.get(key) ?? 0) + 1)
    }
  return [...counts].map(([outcome, count]) => broken(`${count} × ${outcome}`))
}

/** A token expires when the clock is moved; the client then requests another one. */
const expectedStatuses = [200, 201, 204, 401, 503]

function isExpected(outcome: number | string, { mayDropConnections }: Cell): boolean {
  if (typeof outcome === 'number') return expectedStatuses.includes(outcome)
  return mayDropConnections && outcome !== 'timeout'
}

export function checkReadiness({ ready }: Cell, { readiness, beganAt, endedAt }: Course): Failure[] {
  if (!readiness.isSupported()) return [broken('There is no /health/ready.')]
  const untilFalse = readiness.secondsUntilFalse(beganAt, endedAt)
  const untilTrue = readiness.secondsUntilTrue(endedAt)
  const failures: Failure[] = []
  if (ready === 'turns false' && (untilFalse === undefined || untilFalse > promises.untilReadyIsFalse))
    failures.push(late(`/health/ready did not turn false within ${promises.untilReadyIsFalse} s.`))
  // A single probe may fail on a busy machine.
  if (ready === 'stays true' && readiness.maxSecondsFalse(beganAt, endedAt) > 0)
    failures.push(late('/health/ready turned false.'))
  if (untilTrue === undefined || untilTrue > promises.untilReadyIsTrue)
    failures.push(
      late(
        `/health/ready was true again ${untilTrue?.toFixed(1) ?? 'not within 10'} s after the fault (${readiness.lastReason()}).`,
      ),
    )
  return failures
}

export function figuresOf({ maxInProgress }: Cell, course: Course) {
  const { load, readiness, beganAt, endedAt } = course
  const others = othersDuringFault(course)
  const concerned = duringFault(course).filter((operation) => !others.includes(operation))
  const attempts = load.operations.flatMap((operation) => operation.attempts)
  return {
    operations: load.operations.length,
    others: others.length,
    p99BeforeFault: p99BeforeFault(course),
    p99OfOthers: p99Of(others, maxInProgress),
    p99OfConcerned: p99Of(concerned, 0),
    refused: attempts.filter(({ outcome }) => outcome === 503).length,
    unanswered: attempts.filter(({ outcome }) => typeof outcome === 'string').length,
    untilReadyIsFalse: readiness.isSupported() ? readiness.secondsUntilFalse(beganAt, endedAt) : undefined,
    untilReadyIsTrue: readiness.isSupported() ? readiness.secondsUntilTrue(endedAt) : undefined,
  }
}

function p99BeforeFault({ load, beganAt }: Course): number {
  return p99Of(
    load.operations.filter(({ succeededAt }) => (succeededAt ?? beganAt) < beganAt),
    0,
  )
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

/** The names of the operations that took longer than promised, with their numbers and outcomes. */
function describeSlow(operations: readonly Operation[]): string {
  const slow = operations.filter((operation) => secondsOf(operation) >= promises.p99OfOthers)
  const names = slow.map(
    ({ name, attempts }) => `${name} ${[...new Set(attempts.map(({ outcome }) => outcome))].join(', ')}`,
  )
  return [...Map.groupBy(names, (name) => name)].map(([name, same]) => `${same.length} × ${name}`).join('; ')
}

function describeRefused(operations: readonly Operation[]): string {
  const codes = operations.map(({ name, attempts }) =>
    `${name} ${[...new Set(attempts.map(({ code }) => code))].join(' ')}`.trim(),
  )
  return [...new Set(codes)].join(', ')
}

function isRefused({ attempts }: Operation): boolean {
  return attempts.some(({ outcome }) => outcome === 503)
}

/** Without the slowest, which the fault concerns. */
function p99Of(operations: readonly Operation[], slowestLeftOut: number): number {
  const seconds = operations.map(secondsOf).toSorted((a, b) => a - b)
  const count = seconds.length - slowestLeftOut
  return seconds[Math.ceil(0.99 * count) - 1] ?? 0
}
