import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyBaseLogger } from 'fastify'
import { isDatabaseUnavailable } from '../database/errors.ts'
import type { Activity } from '../platform/load/activity.ts'

/** Work that repeats for as long as the service runs. Every node runs it, so concurrent runs must not do harm. */
export type PeriodicTask = {
  /** What the task does, for the log. */
  name: string
  intervalSeconds: number
  /** The interval while nothing happens on this node. Changes that others make are then found this late. */
  idleIntervalSeconds?: number
  /** Whether the first run is at start-up instead of after one interval. */
  runsAtStart?: boolean
  /** The maximum share of time spent in runs, from 0 to 1. After a slow run, the task pauses longer than its interval. */
  maxShareOfTime?: number
  /** Returns the number of changed rows if it is worth a log line. */
  run(signal: AbortSignal): Promise<number | undefined>
  /** Waits for what runs have begun and not waited for. Called after the last run. */
  finish?(): Promise<void>
}

export type Scheduler = {
  /** Starts no more runs and waits for those in progress. */
  stop(): Promise<void>
}

/** Runs each task at its interval, independently of the others. Without `activity`, the node counts as busy. */
export function startScheduler(
  tasks: readonly PeriodicTask[],
  logger: FastifyBaseLogger,
  activity?: Activity,
): Scheduler {
  const stopping = new AbortController()
  const loops = tasks.map((task) => repeat({ task, logger, activity, signal: stopping.signal }))
  return {
    async stop() {
      stopping.abort()
      await Promise.all(loops)
    },
  }
}

type Repetition = {
  task: PeriodicTask
  logger: FastifyBaseLogger
  activity: Activity | undefined
  signal: AbortSignal
}

async function repeat({ task, logger, activity, signal }: Repetition): Promise<void> {
  const interval = task.intervalSeconds * 1_000
  if (!task.runsAtStart) await pause(interval, signal)
  while (!signal.aborted) {
    const start = performance.now()
    const countBefore = activity?.count()
    const hasSucceeded = await runOnce(task, logger, signal)
    const duration = performance.now() - start
    await pause(Math.max(interval, duration / (task.maxShareOfTime ?? 1)), signal)
    const idleMs = (task.idleIntervalSeconds ?? 0) * 1_000 - interval
    if (hasSucceeded && idleMs > 0 && activity?.count() === countBefore) await activity?.wait(idleMs, signal)
  }
  // A failure while the service stops is of no consequence: what it left undone is begun again elsewhere.
  await task.finish?.().catch(() => undefined)
}

async function runOnce({ name, run }: PeriodicTask, logger: FastifyBaseLogger, signal: AbortSignal): Promise<boolean> {
  try {
    const changed = await run(signal)
    if (changed) logger.info({ task: name, changed }, 'A periodic task changed rows.')
    return true
  } catch (error) {
    // The pool reports an unavailable database itself; a task that runs every second must not repeat it.
    if (!signal.aborted && !isDatabaseUnavailable(error))
      logger.error({ err: error, task: name }, 'A periodic task failed.')
    return false
  }
}

async function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  await sleep(milliseconds, undefined, { signal, ref: false }).catch(() => undefined)
}
