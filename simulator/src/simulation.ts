import { setTimeout as sleep } from 'node:timers/promises'
import { bootStorms } from './behaviour/boot-storms.ts'
import { contact } from './behaviour/contact.ts'
import { enrol } from './behaviour/enrol.ts'
import { work } from './behaviour/work.ts'
import { drawsFor, type World } from './behaviour/world.ts'
import { Lost, openChannel, Refused } from './channel.ts'
import { at, type Fleet, kinds, newFleet, phases } from './fleet.ts'
import { type Measurements, openMeasurements } from './measurements.ts'
import { queueOf } from './queue.ts'
import type { Scenario } from './scenario.ts'
import { timerWheel } from './timer-wheel.ts'

export type SimulationOptions = {
  scenario: Scenario
  server: string
  /** The token with which the computer of this number enrols. */
  tokenOf(number: number): string
  /** A certificate of an authority that is trusted, in PEM form. */
  certificates?: string
  /** What an earlier run has left. */
  saved?: { fleet: Fleet; startedAt: number }
}

export type Simulation = {
  fleet: Fleet
  measurements: Measurements
  /** Milliseconds since 1970 that the computers look back from. */
  startedAt: number
  progress(): Progress
  /** Has computers make their next step now, if they wait for its time. */
  wake(computers: readonly number[]): void
  /** Settles when something went wrong that no scenario asks for. */
  broken: Promise<never>
  /** Lets what is under way come to its end, for a while. */
  stop(): Promise<void>
}

export type Progress = { enrolled: number; waiting: number; underWay: number; busy: number }

const tickMs = 20
const longestPauseMs = 300_000
const firstPauseMs = 1_000
const patienceMs = 10_000

/** Begins at once. Everything that computers do happens in steps, of which so many run at a time as there are connections. */
export function simulate(options: SimulationOptions): Simulation {
  const { scenario } = options
  const world = openWorld(options)
  const { fleet, measurements, beganAt } = world
  const wheel = timerWheel(fleet.size, beganAt, tickMs)
  const waiting = queueOf(fleet.size)
  const running = new Set<number>()
  const storms = bootStorms(world, beganAt)
  let isStopping = false
  let breaks: (error: unknown) => void = () => {}
  const broken = new Promise<never>((_, reject) => {
    breaks = reject
  })

  function pump(): void {
    while (!isStopping && running.size < scenario.connections) {
      const next = waiting.shift()
      if (!next) return
      running.add(next.computer)
      measurements.late(Date.now() - next.time)
      step(world, next.computer).then((pauseMs) => ended(next.computer, pauseMs), breaks)
    }
  }

  function ended(computer: number, pauseMs: number): void {
    running.delete(computer)
    wheel.set(computer, storms.bootOf(computer) ?? Date.now() + pauseMs)
    pump()
  }

  for (let computer = 0; computer < fleet.size; computer++)
    wheel.set(computer, beganAt + (computer / scenario.enrolment.perSecond) * 1000)
  const ticking = setInterval(() => {
    const now = Date.now()
    for (const computer of storms.hitBy(now))
      if (wheel.timeOf(computer) < Number.POSITIVE_INFINITY) wheel.set(computer, storms.bootOf(computer) ?? now)
    wheel.due(now, waiting.push)
    pump()
  }, tickMs)

  return {
    fleet,
    measurements,
    startedAt: world.plan.startedAt,
    broken,
    wake(computers) {
      for (const computer of computers)
        if (wheel.timeOf(computer) < Number.POSITIVE_INFINITY) wheel.set(computer, Date.now())
    },
    progress: () => ({
      enrolled: fleet.credential.reduce((count, credential) => count + (credential ? 1 : 0), 0),
      waiting: waiting.length(),
      underWay: running.size,
      busy: world.tasks.size,
    }),
    async stop() {
      isStopping = true
      clearInterval(ticking)
      const end = Date.now() + patienceMs
      while (running.size > 0 && Date.now() < end) await sleep(tickMs)
      await world.channel.destroy()
    },
  }
}

function openWorld({ scenario, server, certificates, tokenOf, saved }: SimulationOptions): World {
  const measurements = openMeasurements()
  const { connections, seed, domain, platforms } = scenario
  const startedAt =
    saved?.startedAt ?? Date.parse(`${scenario.startDate ?? new Date().toISOString().slice(0, 10)}T00:00:00Z`)
  return {
    scenario,
    plan: { seed, domain, platforms, startedAt },
    fleet: saved?.fleet ?? newFleet(scenario),
    channel: openChannel({ server, connections, ...(certificates && { certificates }) }, measurements),
    measurements,
    tokenOf,
    tasks: new Map(),
    now: Date.now,
    beganAt: Date.now(),
  }
}

/** Does what the computer has to do now; returns after how many milliseconds it goes on. */
async function step(world: World, computer: number): Promise<number> {
  const { fleet } = world
  const phase = at(fleet.phase, computer)
  try {
    const pauseMs =
      phase === phases.enrolling
        ? await enrol(world, computer)
        : phase === phases.contacting
          ? await contact(world, computer)
          : phase === phases.working
            ? await work(world, computer)
            : Number.POSITIVE_INFINITY
    fleet.failures[computer] = 0
    return pauseMs
  } catch (error) {
    if (error instanceof Lost) return pauseAfterLoss(world, computer, error)
    if (error instanceof Refused) return pauseAfterRefusal(world, computer)
    throw error
  }
}

/** Twice as long each time, as real agents do it. */
function pauseAfterLoss(world: World, computer: number, { retryAfterSeconds }: Lost): number {
  const failures = Math.min(20, at(world.fleet.failures, computer) + 1)
  world.fleet.failures[computer] = failures
  const longest = Math.min(longestPauseMs, firstPauseMs * 2 ** (failures - 1))
  const share = 0.5 + drawsFor(world, computer, 'pause', at(world.fleet.requests, computer)).next() / 2
  return Math.max(Math.min(retryAfterSeconds * 1000, longestPauseMs), longest * share)
}

/** A refused credential is not mended by asking again soon. */
function pauseAfterRefusal(world: World, computer: number): number {
  world.tasks.delete(computer)
  if (at(world.fleet.phase, computer) === phases.working) world.fleet.phase[computer] = phases.contacting
  const isTwin = at(world.fleet.kind, computer) === kinds.twin
  return longestPauseMs * (isTwin ? 1 : 0.5 + drawsFor(world, computer, 'pause').next() / 2)
}
