import { setTimeout as sleep } from 'node:timers/promises'
import type { Cell } from './cell.ts'
import { type Course, checkAnswers, checkReadiness, figuresOf, promises, secondsBetween } from './check-course.ts'
import { findBrokenPromises } from './ledger.ts'
import { startLoad } from './load.ts'
import type { LoadSize } from './load-clients.ts'
import { type ProcessorWaits, watchProcessorWaits } from './processor-waits.ts'
import { watchReadiness } from './readiness.ts'
import type { World } from './world.ts'

export type CellOptions = { version: 'short' | 'long'; seconds: number; warmUpSeconds: number; load: LoadSize }

export type CellResult = {
  cell: Cell
  /** A sentence about each promise that was not kept. */
  failures: string[]
  figures: ReturnType<typeof figuresOf>
  /** How long the service took to end when it was stopped during the fault. */
  untilStopped: number | undefined
}

/** On a machine that is busy with other programs, everything lasts longer, but at most this many times as long. */
const maxSlowdown = 5

/** A fault lasts until it has an effect, at most this long. */
const maxSecondsUntilVisible = 10

/** Tries one fault under load, and checks every promise. */
export async function runCell(world: World, cell: Cell, options: CellOptions): Promise<CellResult> {
  await world.arrange(cell.arrangement)
  await world.administrator.ensureConnected()
  const waits = watchProcessorWaits(world.listProcesses)
  try {
    const course = await runCourse(world, cell, options, waits)
    const failures = [...checkAnswers(cell, course), ...checkReadiness(cell, course)]
    if (world.service().hasEnded()) failures.push('The service has ended.')
    else failures.push(...(await checkLedger(world, course)))
    // What a failed cell leaves behind must not fail the next one.
    if (failures.length > 0) await world.restartService()
    const untilStopped = needsStop(cell, options) ? await stopDuringFault(world, cell, options, waits) : undefined
    if (untilStopped !== undefined && untilStopped > promises.untilStopped)
      failures.push(`SIGTERM ended the service after ${untilStopped.toFixed(1)} s.`)
    return { cell, failures, figures: figuresOf(cell, course), untilStopped }
  } finally {
    waits.stop()
  }
}

async function runCourse(world: World, cell: Cell, options: CellOptions, waits: ProcessorWaits): Promise<Course> {
  const { address } = world.service()
  const load = startLoad(address, world.fleet, options.load)
  const startedAt = performance.now()
  const readiness = watchReadiness(address)
  const hasPassed = (since: number, maxSeconds: number) => {
    const now = performance.now()
    return now >= since + 1000 * maxSeconds * maxSlowdown || secondsBetween({ waits }, since, now) >= maxSeconds
  }
  const waitFor = async (isMet: () => boolean, since: number, maxSeconds: number) => {
    while (!isMet() && !hasPassed(since, maxSeconds)) await sleep(50)
  }
  const pass = (since: number, seconds: number) => waitFor(() => false, since, seconds)
  await pass(startedAt, options.warmUpSeconds)
  // A service that has just started becomes ready when all checks have run.
  await waitFor(() => readiness.findTrue(startedAt) !== undefined, startedAt, 10)
  const beganAt = performance.now()
  const fault = await cell.begin(world, load)
  const begunAt = performance.now()
  await pass(begunAt, options.seconds)
  await waitFor(() => fault.isVisible?.(load.operations) !== false, begunAt, maxSecondsUntilVisible)
  const hasTurnedFalse = () => readiness.findFalse(beganAt, performance.now()) !== undefined
  if (cell.ready === 'turns false') await waitFor(hasTurnedFalse, begunAt, promises.untilReadyIsFalse)
  const endedAt = performance.now()
  await fault.end()
  const isTrueAgain = () => !readiness.isSupported() || readiness.findTrue(endedAt) !== undefined
  await waitFor(isTrueAgain, endedAt, 2 * promises.untilReadyIsTrue)
  const unfinished = await load.stop((since) => hasPassed(since, promises.untilRecovered))
  await readiness.stop()
  return { load, readiness, fault, beganAt, begunAt, endedAt, unfinished, waits }
}

async function checkLedger({ fleet }: World, { load }: Course): Promise<string[]> {
  await fleet.authorization.renew(fleet.authorization.header())
  const broken = await findBrokenPromises(load.ledger, load.prefix, load.startedAt, fleet.api).catch((error: Error) => [
    { sentence: `What was acknowledged cannot be read: ${error.message}` },
  ])
  return broken.map(({ sentence }) => sentence)
}

function needsStop({ stops }: Cell, { version }: CellOptions): boolean {
  return stops === 'in both versions' || (stops !== undefined && version === 'long')
}

/** Returns after how many seconds the service has ended. The next cell starts it as it needs it. */
async function stopDuringFault(world: World, cell: Cell, options: CellOptions, waits: ProcessorWaits): Promise<number> {
  await world.administrator.ensureConnected()
  const load = startLoad(world.service().address, world.fleet, options.load)
  await sleep(500)
  const fault = await cell.begin(world, load)
  await sleep(1_000)
  const service = world.service()
  const timer = setTimeout(() => service.signal('SIGKILL'), 2000 * promises.untilStopped)
  const signalledAt = performance.now()
  await service.end('SIGTERM')
  const seconds = secondsBetween({ waits }, signalledAt, performance.now())
  clearTimeout(timer)
  await fault.end()
  await load.stop(() => true)
  return seconds
}
