import type { Fault } from './begin-fault.ts'
import type { Cell } from './cell.ts'
import type { Load } from './load.ts'
import type { Operation } from './operations.ts'
import type { ProcessorWaits } from './processor-waits.ts'
import { probeIntervalMs, type Readiness } from './readiness.ts'

/** What happened before, during and after a fault. Times are those of `performance.now()`. */
export type Course = {
  load: Load
  readiness: Readiness
  fault: Fault
  beganAt: number
  /** When the fault was complete: filling a disk takes a while. */
  begunAt: number
  endedAt: number
  unfinished: Operation[]
  waits: ProcessorWaits
}

/** The seconds between two times, but for those that other programs took from the service, its database or its clients. */
export function secondsBetween({ waits }: Pick<Course, 'waits'>, from: number, until: number): number {
  return (until - from - waits.between(from, until)) / 1000
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

/** Returns a sentence about each promise that was not kept. */
export function checkAnswers(cell: Cell, course: Course): string[] {
  const { load, fault, unfinished } = course
  const failures = findUnexpectedOutcomes(cell, load.operations)
  if (fault.isVisible?.(load.operations) === false) failures.push('The fault had no effect.')
  if (unfinished.length > 0)
    failures.push(`${unfinished.length} operations did not succeed within ${promises.untilRecovered} s.`)
  if (cell.takesDatabase) return failures
  const others = othersDuringFault(course).filter((operation) => isMeaningful(course, operation))
  if (others.length === 0) return [...failures, 'The machine had no processor for any operation of other computers.']
  const p99 = p99Of(course, others, cell.maxInProgress)
  const before = p99BeforeFault(course)
  if (p99 >= Math.max(promises.p99OfOthers, promises.slowdownOfOthers * before))
    failures.push(
      `The p99 of ${others.length} operations of other computers is ${p99.toFixed(2)} s, and was ${before.toFixed(2)} s before: ${describeSlow(course, others)}.`,
    )
  const refused = others.filter(isRefused)
  if (!cell.mayRefuseOthers && refused.length > 0)
    failures.push(`${refused.length} operations of other computers got a 503: ${describeRefused(refused)}.`)
  return failures
}

function findUnexpectedOutcomes(cell: Cell, operations: readonly Operation[]): string[] {
  const counts = new Map<string, number>()
  for (const { name, attempts } of operations)
    for (const { outcome, code } of attempts) {
      if (isExpected(outcome, cell)) continue
      const key = `${name}: ${outcome} ${code}`.trim()
      counts.set(key, (counts.get(key) ?? 0) + 1)
    }
  return [...counts].map(([outcome, count]) => `${count} × ${outcome}`)
}

/** A token expires when the clock is moved; the client then requests another one. */
const expectedStatuses = [200, 201, 204, 401, 503]

function isExpected(outcome: number | string, { mayDropConnections }: Cell): boolean {
  if (typeof outcome === 'number') return expectedStatuses.includes(outcome)
  return mayDropConnections && outcome !== 'timeout'
}

export function checkReadiness({ ready }: Cell, course: Course): string[] {
  const { readiness, beganAt, endedAt } = course
  if (!readiness.isSupported()) return ['There is no /health/ready.']
  const { untilReadyIsFalse: untilFalse, untilReadyIsTrue: untilTrue } = readinessFigures(course)
  const failures: string[] = []
  if (ready === 'turns false' && (untilFalse === undefined || untilFalse > promises.untilReadyIsFalse))
    failures.push(`/health/ready did not turn false within ${promises.untilReadyIsFalse} s.`)
  const turnedFalse = readiness.listFalse(beganAt, endedAt).find((period) => isLasting(course, period))
  if (ready === 'stays true' && turnedFalse)
    failures.push(
      `/health/ready turned false ${secondsBetween(course, beganAt, turnedFalse.from).toFixed(1)} s after the fault began (${readiness.lastReason()}).`,
    )
  if (untilTrue === undefined || untilTrue > promises.untilReadyIsTrue)
    failures.push(
      `/health/ready was true again ${untilTrue?.toFixed(1) ?? 'not within 10'} s after the fault (${readiness.lastReason()}).`,
    )
  return failures
}

/**
 * Whether the processes had a processor for at least half of the time. Otherwise, what the service could not do before a deadline of
 * its own says nothing about the service.
 */
function hadProcessor(course: Course, from: number, until: number): boolean {
  return 2000 * secondsBetween(course, from, until) >= until - from
}

function isMeaningful(course: Course, { attempts }: Operation): boolean {
  return attempts.every(
    ({ at, milliseconds, outcome }) => outcome !== 503 || hadProcessor(course, at, at + milliseconds),
  )
}

/** The service reports that it is not ready if its checks are not answered for this long. */
const checkDeadlineMs = 4_000

/** Whether readiness was false for more than one probe, which may fail on a busy machine. */
function isLasting(course: Course, { from, until }: { from: number; until: number }): boolean {
  const wasTwice = 2000 * secondsBetween(course, from, until) > probeIntervalMs
  return wasTwice && hadProcessor(course, from - checkDeadlineMs, from)
}

function readinessFigures(course: Course) {
  const { readiness, beganAt, begunAt, endedAt } = course
  const [falseAt, trueAt] = [readiness.findFalse(beganAt, endedAt), readiness.findTrue(endedAt)]
  return {
    untilReadyIsFalse: falseAt && secondsBetween(course, Math.min(begunAt, falseAt), falseAt),
    untilReadyIsTrue: trueAt && secondsBetween(course, endedAt, trueAt),
  }
}

export function figuresOf({ maxInProgress }: Cell, course: Course) {
  const { load, readiness } = course
  const others = othersDuringFault(course)
  const concerned = duringFault(course).filter((operation) => !others.includes(operation))
  const attempts = load.operations.flatMap((operation) => operation.attempts)
  return {
    operations: load.operations.length,
    others: others.length,
    p99BeforeFault: p99BeforeFault(course),
    p99OfOthers: p99Of(course, others, maxInProgress),
    p99OfConcerned: p99Of(course, concerned, 0),
    refused: attempts.filter(({ outcome }) => outcome === 503).length,
    unanswered: attempts.filter(({ outcome }) => typeof outcome === 'string').length,
    ...(readiness.isSupported() && readinessFigures(course)),
  }
}

function p99BeforeFault(course: Course): number {
  const { load, beganAt } = course
  return p99Of(
    course,
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
function secondsOf(course: Course, { at, succeededAt, attempts }: Operation): number {
  const last = attempts.at(-1)
  return secondsBetween(course, at, succeededAt ?? (last ? last.at + last.milliseconds : at))
}

/** The names of the operations that took longer than promised, with their numbers and outcomes. */
function describeSlow(course: Course, operations: readonly Operation[]): string {
  const slow = operations.filter((operation) => secondsOf(course, operation) >= promises.p99OfOthers)
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
function p99Of(course: Course, operations: readonly Operation[], slowestLeftOut: number): number {
  const seconds = operations.map((operation) => secondsOf(course, operation)).toSorted((a, b) => a - b)
  const count = seconds.length - slowestLeftOut
  return seconds[Math.ceil(0.99 * count) - 1] ?? 0
}
