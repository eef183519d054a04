import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyBaseLogger } from 'fastify'
import pg from 'pg'
import { expect, onTestFinished, test, vi } from 'vitest'
import { type Activity, openActivity } from '../../src/platform/activity.ts'
import { type PeriodicTask, type Scheduler, startScheduler } from '../../src/jobs/scheduler.ts'

type Run = { start: number; end: number }

const logger = { info: vi.fn(), error: vi.fn() }

// A timer may fire one millisecond early, because it counts in whole milliseconds.
const timerPrecision = 1

const start = (...tasks: PeriodicTask[]) => startWith(undefined, ...tasks)

function startWith(activity: Activity | undefined, ...tasks: PeriodicTask[]): Scheduler {
  logger.info.mockClear()
  logger.error.mockClear()
  const scheduler = startScheduler(tasks, logger as unknown as FastifyBaseLogger, activity)
  onTestFinished(() => scheduler.stop())
  return scheduler
}

/** A task that notes its runs and does the given work in each of them, which receives the number of the run. */
function recordedTask(
  options: Partial<PeriodicTask>,
  work: (run: number) => Promise<number | undefined> = async () => undefined,
) {
  const runs: Run[] = []
  const task: PeriodicTask = {
    name: 'a test',
    intervalSeconds: 0.02,
    ...options,
    async run() {
      const begin = performance.now()
      const current = { start: begin, end: begin }
      runs.push(current)
      try {
        return await work(runs.length)
      } finally {
        current.end = performance.now()
      }
    },
  }
  const waitForRuns = (count: number) => vi.waitFor(() => expect(runs.length).toBeGreaterThanOrEqual(count), 10_000)
  return { task, runs, waitForRuns }
}

/** The milliseconds between the end of each run and the start of the next one. */
function pausesBetween(runs: readonly Run[]): number[] {
  return runs.slice(1).map(({ start }, index) => start - (runs[index]?.end ?? 0))
}

test('a task runs again and again, with its interval before each run', async () => {
  const { task, runs, waitForRuns } = recordedTask({ intervalSeconds: 0.02 })
  const begin = performance.now()

  start(task)
  await waitForRuns(4)

  const pauses = [(runs[0]?.start ?? 0) - begin, ...pausesBetween(runs)]
  expect(Math.min(...pauses)).toBeGreaterThanOrEqual(20 - timerPrecision)
})

test('a task that runs at the start does not wait for its first interval', async () => {
  const { task, runs } = recordedTask({ intervalSeconds: 3_600, runsAtStart: true })

  start(task)

  expect(runs).toHaveLength(1)
})

test('a slow run is followed by a pause that keeps the task within its share of the time', async () => {
  const { task, runs, waitForRuns } = recordedTask({ intervalSeconds: 0.001, maxShareOfTime: 0.25 }, async () => {
    await sleep(30)
    return undefined
  })

  start(task)
  await waitForRuns(3)

  const [first, second] = runs
  const duration = (first?.end ?? 0) - (first?.start ?? 0)
  const pause = (second?.start ?? 0) - (first?.end ?? 0)
  expect(duration).toBeGreaterThanOrEqual(30 - timerPrecision)
  expect(pause).toBeGreaterThanOrEqual(duration / 0.25 - 2 * timerPrecision)
})

test('a slow task does not delay the others', async () => {
  const stuck = Promise.withResolvers<undefined>()
  const slow = recordedTask({ runsAtStart: true }, () => stuck.promise)
  const quick = recordedTask({})

  start(slow.task, quick.task)
  await quick.waitForRuns(3)

  expect(slow.runs).toHaveLength(1)
  stuck.resolve(undefined)
})

test('while nothing happens, a task with an idle interval runs at that interval', async () => {
  const { task, runs, waitForRuns } = recordedTask({ intervalSeconds: 0.01, idleIntervalSeconds: 0.1 })

  startWith(openActivity(), task)
  await waitForRuns(3)

  expect(Math.min(...pausesBetween(runs))).toBeGreaterThanOrEqual(100 - 2 * timerPrecision)
})

test('a task with an idle interval runs at its usual interval after something has happened, and once more for what came during a run', async () => {
  const activity = openActivity()
  const { task, runs, waitForRuns } = recordedTask(
    { intervalSeconds: 0.01, idleIntervalSeconds: 3_600, runsAtStart: true },
    async (run) => {
      if (run === 2) activity.note()
      return undefined
    },
  )

  startWith(activity, task)
  await waitForRuns(1)
  await sleep(30)
  const runsWhileIdle = runs.length
  activity.note()
  await waitForRuns(3)

  expect(runsWhileIdle).toBe(1)
  expect(runs).toHaveLength(3)
})

test('a task that has failed does not wait for its idle interval', async () => {
  const { task, waitForRuns } = recordedTask({ idleIntervalSeconds: 3_600 }, async () => {
    throw new Error('broken')
  })

  startWith(openActivity(), task)

  await waitForRuns(3)
})

test('a task that throws is logged and runs again', async () => {
  const { task, waitForRuns } = recordedTask({ name: 'break things' }, async (run) => {
    if (run === 1) throw new Error('broken')
    return undefined
  })

  start(task)
  await waitForRuns(2)

  expect(logger.error).toHaveBeenCalledExactlyOnceWith(
    expect.objectContaining({ task: 'break things', err: expect.objectContaining({ message: 'broken' }) }),
    expect.any(String),
  )
})

test('a task that fails because the database is unavailable is not logged, because the pool already does so', async () => {
  const { task, waitForRuns } = recordedTask({}, async () => {
    throw Object.assign(new pg.DatabaseError('shutting down', 0, 'error'), { code: '57P01' })
  })

  start(task)
  await waitForRuns(2)

  expect(logger.error).not.toHaveBeenCalled()
})

test('a run that changed rows is logged with their number, and one that changed none is not', async () => {
  const { task, waitForRuns } = recordedTask({ name: 'purge' }, async (run) => (run === 1 ? 17 : 0))

  start(task)
  await waitForRuns(3)

  expect(logger.info).toHaveBeenCalledExactlyOnceWith({ task: 'purge', changed: 17 }, expect.any(String))
})

test('stopping aborts the run in progress and waits until it has ended', async () => {
  const begun = Promise.withResolvers<AbortSignal>()
  const cleanedUp = Promise.withResolvers<undefined>()
  const scheduler = start({
    name: 'a long run',
    intervalSeconds: 0.001,
    runsAtStart: true,
    run(signal) {
      begun.resolve(signal)
      return cleanedUp.promise
    },
  })
  const signal = await begun.promise
  expect(signal.aborted).toBe(false)

  let isStopped = false
  const stopping = scheduler.stop().then(() => {
    isStopped = true
  })
  expect(signal.aborted).toBe(true)
  await sleep(20)
  expect(isStopped).toBe(false)

  cleanedUp.resolve(undefined)
  await stopping
  expect(isStopped).toBe(true)
})

test('stopping ends a pause at once, and no run begins afterwards', async () => {
  const { task, runs, waitForRuns } = recordedTask({ intervalSeconds: 3_600, runsAtStart: true })
  const scheduler = start(task)
  await waitForRuns(1)

  await scheduler.stop()

  expect(runs).toHaveLength(1)
})
