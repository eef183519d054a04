import { setTimeout as sleep } from 'node:timers/promises'
import type { Cell } from './cell.ts'
import { type Course, checkAnswers, checkReadiness, type Failure, figuresOf, promises } from './check-course.ts'
import { findBrokenPromises } from './ledger.ts'
import { startLoad } from './load.ts'
import type { LoadSize } from './load-clients.ts'
import { watchReadiness } from './readiness.ts'
import type { World } from './world.ts'

export type CellOptions = { version: 'short' | 'long'; seconds: number; warmUpSeconds: number; load: LoadSize }

export type CellResult = {
  cell: Cell
  failures: Failure[]
  figures: ReturnType<typeof figuresOf>
  /** How long the service took to end when it was stopped during the fault. */
  untilStopped: number | undefined
}

/** Tries one fault under load, and checks every promise. */
export async function runCell(world: World, cell: Cell, options: CellOptions): Promise<CellResult> {
  await world.arrange(cell.arrangement)
  await world.administrator.ensureConnected()
  const course = await runCourse(world, cell, options)
  const failures = [...checkAnswers(cell, course), ...checkReadiness(cell, course)]
  if (world.service().hasEnded()) failures.push({ kind: 'broken', sentence: 'The service has ended.' })
  else failures.push(...(await checkLedger(world, course)))
  // What a failed cell leaves behind must not fail the next one.
  if (failures.length > 0) await world.restartService()
  const untilStopped = needsStop(cell, options) ? await stopDuringFault(world, cell, options) : undefined
  if (untilStopped !== undefined && untilStopped > promises.untilStopped)
    failures.push({ kind: 'late', sentence: `SIGTERM ended the service after ${untilStopped.toFixed(1)} s.` })
  return { cell, failures, figures: figuresOf(cell, course), untilStopped }
}

async function runCourse(world: World, cell: Cell, options: CellOptions): Promise<Course> {
  const { address } = world.service()
  const load = startLoad(address, world.fleet, options.load)
  const startedAt = performance.now()
  const readiness = watchReadiness(address)
  await sleep(1000 * options.warmUpSeconds)
  // A service that has just started becomes ready when all checks have run.
  await waitFor(() => readiness.secondsUntilTrue(startedAt) !== undefined, startedAt + 10_000)
  const beganAt = performance.now()
  const fault = await cell.begin(world, load)
  await sleep(1000 * options.seconds)
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

async function checkLedger({ fleet }: World, { load }: Course): Promise<Failure[]> {
  await fleet.authorization.renew(fleet.authorization.header())
  const broken = await findBrokenPromises(load.ledger, load.prefix, load.startedAt, fleet.api).catch((error: Error) => [
    { sentence: `What was acknowledged cannot be read: ${error.message}` },
  ])
  return broken.map(({ sentence }) => ({ kind: 'broken', sentence }))
}

function needsStop({ stops }: Cell, { version }: CellOptions): boolean {
  return stops === 'in both versions' || (stops !== undefined && version === 'long')
}

/** Returns after how many seconds the service has ended. */
async function stopDuringFault(world: World, cell: Cell, options: CellOptions): Promise<number> {
  await world.administrator.ensureConnected()
  const load = startLoad(world.service().address, world.fleet, options.load)
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
