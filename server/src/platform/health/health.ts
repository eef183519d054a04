import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyBaseLogger } from 'fastify'
import { type Activity, openActivity } from '../load/activity.ts'

/** What a check found. A warning leaves the node ready; a failure takes it out of service. */
export type HealthFinding = {
  /** The name of the finding for programs. It never changes. */
  code: string
  status: 'warning' | 'failed'
  /** A constant sentence that everybody may read: no paths, addresses or numbers. */
  detail: string
  /** For the log only. */
  cause?: unknown
}

export type HealthCheck = {
  name: string
  intervalMs: number
  /** Resolves to undefined if all is well. What it throws counts as a failure. */
  run(): Promise<HealthFinding | undefined>
}

export type CheckResult = {
  name: string
  status: 'passed' | HealthFinding['status']
  code: string | null
  detail: string | null
  /** Since when the check has this status. */
  sinceUtc: Date
}

export type HealthReport = { status: 'ready' | 'degraded' | 'unavailable'; checks: CheckResult[] }

export type Health = {
  /** The last results. Costs nothing, so a flood of questions does no harm. */
  report(): HealthReport
  /** Called at each request, because checks rest while there are none. */
  noteRequest(): void
  start(logger: FastifyBaseLogger): void
  /** From now on, the node is not ready. */
  stop(): void
}

/**
 * When nobody has used the node for a while, neither people and agents nor a load balancer, a check waits longer for its next
 * run. A request ends the wait.
 */
export type Rest = { afterMs: number; forMs: number }

/** A check without a result for this long hangs, or the process does. */
const maxAgeMs = 8_000
/** The end of a fault is noticed soon, even by checks that are rare. */
const retryMs = 500
const usualRest: Rest = { afterMs: 30_000, forMs: 3_500 }
/** Checks start one after the other: together, they would look like load. */
const staggerMs = 150

const notRun: HealthFinding = { code: 'NotChecked', status: 'failed', detail: 'This has not been checked yet.' }
const overdue: HealthFinding = {
  code: 'CheckOverdue',
  status: 'failed',
  detail: 'This could not be checked for several seconds.',
}
const stopping: HealthFinding = { code: 'Stopping', status: 'failed', detail: 'The service is stopping.' }

/** Runs checks in the background and keeps their last results. Without checks, a node is always ready. */
export function openHealth(checks: readonly HealthCheck[], rest: Rest = usualRest): Health {
  const states = checks.map((check) => ({ check, state: newState(check.name) }))
  const stop = new AbortController()
  const requests = openActivity()
  let stoppedUtc = new Date()
  const currentResult = ({ state }: (typeof states)[number]): CheckResult => {
    if (stop.signal.aborted) return resultOf(state.name, stopping, stoppedUtc)
    const ageMs = state.finishedAt === undefined ? 0 : performance.now() - state.finishedAt
    if (ageMs > maxAgeMs) return resultOf(state.name, overdue, new Date(Date.now() - ageMs + maxAgeMs))
    return resultOf(state.name, state.finding, state.sinceUtc)
  }
  return {
    report() {
      const results = states.map(currentResult)
      return { status: overallStatus(results), checks: results }
    },
    noteRequest: requests.note,
    start(logger) {
      for (const [index, { check, state }] of states.entries())
        void repeat({ check, state, logger, requests, rest, signal: stop.signal, delayMs: index * staggerMs })
    },
    stop() {
      stoppedUtc = new Date()
      stop.abort()
    },
  }
}

function overallStatus(results: readonly CheckResult[]): HealthReport['status'] {
  if (results.some(({ status }) => status === 'failed')) return 'unavailable'
  return results.some(({ status }) => status === 'warning') ? 'degraded' : 'ready'
}

type CheckState = { name: string; finding: HealthFinding | undefined; sinceUtc: Date; finishedAt: number | undefined }

function newState(name: string): CheckState {
  return { name, finding: notRun, sinceUtc: new Date(), finishedAt: undefined }
}

function resultOf(name: string, finding: HealthFinding | undefined, sinceUtc: Date): CheckResult {
  const { status, code, detail } = finding ?? { status: 'passed' as const, code: null, detail: null }
  return { name, status, code, detail, sinceUtc }
}

type Repetition = {
  check: HealthCheck
  state: CheckState
  logger: FastifyBaseLogger
  requests: Activity
  rest: Rest
  signal: AbortSignal
  delayMs: number
}

async function repeat(repetition: Repetition): Promise<void> {
  const { check, state, logger, requests, rest, signal, delayMs } = repetition
  const isUnused = openUseDetector(requests, rest)
  await pause(delayMs, signal)
  while (!signal.aborted) {
    const finding = await check.run().catch(unexpected)
    if (signal.aborted) return
    if (state.finding !== notRun || finding) logChange(logger, check, state.finding, finding)
    if (finding?.status !== state.finding?.status) state.sinceUtc = new Date()
    state.finding = finding
    state.finishedAt = performance.now()
    await pause(finding ? Math.min(retryMs, check.intervalMs) : check.intervalMs, signal)
    if (!finding && isUnused()) await requests.wait(rest.forMs, signal)
  }
}

/** Returns whether there were no requests for a while, as far as earlier calls have seen. */
function openUseDetector(requests: Activity, { afterMs }: Rest): () => boolean {
  let lastUse = { count: requests.count(), at: performance.now() }
  return () => {
    if (requests.count() !== lastUse.count) lastUse = { count: requests.count(), at: performance.now() }
    return performance.now() - lastUse.at > afterMs
  }
}

function unexpected(cause: unknown): HealthFinding {
  return { code: 'CheckFailed', status: 'failed', detail: 'This could not be checked because of an error.', cause }
}

/** One line when something begins and one when it ends, not one for each run. */
function logChange(
  logger: FastifyBaseLogger,
  { name }: HealthCheck,
  before: HealthFinding | undefined,
  now: HealthFinding | undefined,
): void {
  if (before?.code === now?.code) return
  if (!now) logger.info({ check: name }, 'A health check passes again.')
  else if (now.status === 'failed') logger.error({ check: name, err: now.cause }, now.detail)
  else logger.warn({ check: name, err: now.cause }, now.detail)
}

async function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  await sleep(milliseconds, undefined, { signal, ref: false }).catch(() => undefined)
}
