import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { buildApp } from '../../server/src/app.ts'
import { jobHandlers, periodicTasks } from '../../server/src/background.ts'
import { migrate } from '../../server/src/database/migrations/migrate.ts'
import { openDatabase } from '../../server/src/database/open-database.ts'
import { startJobRunner } from '../../server/src/jobs/job-runner.ts'
import type { PeriodicTask } from '../../server/src/jobs/scheduler.ts'
import { readConfiguration } from '../../server/src/platform/configuration.ts'
import { openActivity } from '../../server/src/platform/load/activity.ts'
import { openRandom } from '../../server/test/faults/fuzz/random.ts'
import type { BenchOptions } from '../options.ts'
import { round } from '../round.ts'
import { insertCaller } from '../service.ts'
import { reportTarget } from '../target.ts'
import { installMovedClock, moveClock, movedClockSettings } from './moved-clock.ts'
import { type Caller, patchCatalog, prepareFleet, restartWindows } from './patched-fleet.ts'
import { isPresent } from './presence.ts'

const days = 7
const minutesPerStep = 30
const stepsPerDay = 1440 / minutesPerStep
const patchedTarget = 0.95
const callersAtOnce = 8

/**
 * A week after vendors have published patches, on a fleet of which 30 % are away on any day: which share has all of them,
 * and whether anybody was restarted outside the window. The clocks of the service and of its database are moved along.
 */
export async function benchPatching({ computers: count = 500, seed = 1 }: BenchOptions): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'muster-bench-'))
  const configuration = readConfiguration({
    MUSTER_DATA_DIR: join(folder, 'data'),
    MUSTER_PACKAGE_STORE: join(folder, 'packages'),
    MUSTER_ENROLMENT_RATE_LIMIT: '0',
  })
  await mkdir(join(folder, 'packages'))
  const database = await openDatabase(configuration, { settings: movedClockSettings })
  // The queue of jobs takes the leaps of the clock for slowness, and warns.
  const logger = pino({ level: 'error' })
  try {
    await installMovedClock(database.pool)
    await migrate(database.pool)
    const begin = nextTuesday()
    await moveClock(database.pool, begin)
    const app = await buildApp({ database, configuration, logger })
    const jobs = await startJobRunner({ database, configuration, logger, handlers: jobHandlers })
    const tasks = periodicTasks({ database, configuration, logger }, app.services.keys, openActivity())
    const { principalId } = await insertCaller(database.db, app)
    const call: Caller = async (method, path, body, authorization) => {
      const { statusCode, body: text } = await app.http.inject({
        method,
        url: path,
        headers: {
          authorization: authorization ?? `Bearer ${await app.services.tokens.issue(principalId)}`,
          ...(body && { 'content-type': 'application/json' }),
        },
        ...(body && { payload: JSON.stringify(body) }),
      })
      if (statusCode >= 300) throw new Error(`${method} ${path}: ${statusCode} ${text}`)
      return text === '' ? undefined : JSON.parse(text)
    }
    await copyToStore(configuration.packageStore, begin)
    const fleet = await prepareFleet(call, { count, days, random: openRandom(seed, 0) })
    await runWeek()
    await jobs.stop()
    await app.http.close()

    async function runWeek(): Promise<void> {
      const rows = []
      for (let step = 0; step < days * stepsPerDay; step++) {
        await moveClock(database.pool, new Date(begin.getTime() + step * minutesPerStep * 60_000))
        const [day, hour] = [Math.floor(step / stepsPerDay), Math.floor((step % stepsPerDay) / 2)]
        const visitors = fleet.filter((one, at) => (at + step) % 2 === 0 && isPresent(one, { day, hour }))
        await visitAll(visitors.map(({ computer }) => computer))
        await runTasks(tasks)
        if ((step + 1) % stepsPerDay === 0) {
          const restarts = fleet.flatMap(({ computer }) => computer.restarts)
          rows.push({
            day: day + 1,
            'patched %': round((100 * fleet.filter(({ computer }) => computer.isPatched).length) / count),
            restarts: restarts.length,
            'outside the window': restarts.filter((one) => !isInWindow(one)).length,
            'await a restart': fleet.filter(({ computer }) => computer.awaitsRestart).length,
          })
        }
      }
      console.log(`${count} computers, seed ${seed}`)
      console.table(rows)
      const last = rows.at(-1)
      const share = (last?.['patched %'] ?? 0) / 100
      reportTarget(
        `patched within ${days} days: ${100 * share} %, at least ${100 * patchedTarget}`,
        share >= patchedTarget,
      )
      reportTarget(
        `restarts: ${last?.restarts}, outside their window: ${last?.['outside the window']}, at most 0`,
        last?.['outside the window'] === 0 && last.restarts > 0,
      )
    }
  } finally {
    await database.close()
    await rm(folder, { recursive: true })
  }
}

/** 00:00 UTC: many vendors publish on Tuesdays. */
function nextTuesday(): Date {
  const today = new Date()
  today.setUTCHours(0, 0, 0, 0)
  const inDays = (9 - today.getUTCDay()) % 7 || 7
  return new Date(today.getTime() + inDays * 86_400_000)
}

async function visitAll(computers: readonly { visit(): Promise<void> }[]): Promise<void> {
  const waiting = computers.values()
  const visitNext = async () => {
    for (const computer of waiting) await computer.visit()
  }
  await Promise.all(Array.from({ length: callersAtOnce }, visitNext))
}

/** Those that would run within a step, in turn. */
async function runTasks(tasks: readonly PeriodicTask[]): Promise<void> {
  const { signal } = new AbortController()
  for (const task of tasks) if (task.intervalSeconds <= minutesPerStep * 60) await task.run(signal)
}

function isInWindow({ kind, at }: { kind: 'Desktop' | 'Laptop'; at: Date }): boolean {
  const { hour, minutes } = restartWindows[kind]
  const minute = at.getUTCHours() * 60 + at.getUTCMinutes()
  return minute >= hour * 60 && minute <= hour * 60 + minutes
}

async function copyToStore(store: string, released: Date): Promise<void> {
  await cp(join(import.meta.dirname, '../../examples/packages/patch-fix'), join(store, 'patch-fix'), {
    recursive: true,
  })
  await mkdir(join(store, 'catalogs'))
  await writeFile(join(store, 'catalogs/vendor.json'), JSON.stringify(patchCatalog(released)))
}
