import { setTimeout as sleep } from 'node:timers/promises'
import { openBootStorms } from './behaviour/boot-storms.ts'
import { contact } from './behaviour/contact.ts'
import { enrol } from './behaviour/enrol.ts'
import { work } from './behaviour/work.ts'
import { drawsFor, type World } from './behaviour/world.ts'
import { openChannel, RequestLost, RequestRefused } from './channel.ts'
import { at, type Fleet, kinds, newFleet, phases } from './fleet.ts'
import { type Measurements, openMeasurements } from './measurements.ts'
import { newQueue } from './queue.ts'
import type { Scenario } from './scenario.ts'
import { timerWheel } from './timer-wheel.ts'
import { keepsConnection } from './traits.ts'
import { openWakeConnections } from './wake-connections.ts'

export type SimulationOptions = {
  scenario: Scenario
  server: string
  /** Returns the enrolment token for the computer with this number. */
  tokenOf(number: number): string
  /** Additional trusted certificates in PEM format. */
  certificates?: string
  /** The fleet of an earlier run. */
  saved?: { fleet: Fleet; startedAt: number }
}

export type Simulation = {
  fleet: Fleet
  measurements: Measurements
  /** The start date of the fleet in milliseconds since 1970. Ages in inventories and patches count back from it. */
  startedAt: number
  progress(): Progress
  /** Makes waiting computers take their next step now. */
  wake(computers: readonly number[]): void
  /** Rejects on an error that no scenario asks for. */
  failure: Promise<never>
  /** Waits up to ten seconds for steps that are under way, then closes the channel. */
  stop(): Promise<void>
}

export type Progress = { enrolled: number; waiting: number; underWay: number; busy: number; connected: number }

const tickMs = 20
const maxPauseMs = 300_000
const firstPauseMs = 1_000
const stopTimeoutMs = 10_000

/** Starts at once. Computers act in steps; at most as many steps run concurrently as there are connections. */
export function simulate(options: SimulationOptions): Simulation {
  const { scenario, server, certificates } = options
  const called = new Set<number>()
  const connections = openWakeConnections({
    ...{ server, certificates, firstNumber: scenario.firstNumber },
    onCall(computer) {
      if (wheel.timeOf(computer) < Number.POSITIVE_INFINITY) wheel.set(computer, Date.now())
      else called.add(computer)
    },
  })
  const world = openWorld(options, connections.isConnected)
  const { fleet, measurements, beganAt } = world
  const wheel = timerWheel(fleet.size, beganAt, tickMs)
  const waiting = newQueue(fleet.size)
  const running = new Set<number>()
  const storms = openBootStorms(world, beganAt)
  let isStopping = false
  let fail: (error: unknown) => void = () => {}
  const failure = new Promise<never>((_, reject) => {
    fail = reject
  })

  function pump(): void {
    while (!isStopping && running.size < scenario.connections) {
      const next = waiting.shift()
      if (!next) return
      running.add(next.computer)
      measurements.recordDelay(Date.now() - next.time)
      step(world, next.computer).then((pauseMs) => scheduleNext(next.computer, pauseMs), fail)
    }
  }

  function scheduleNext(computer: number, pauseMs: number): void {
    running.delete(computer)
    // A call during a step is answered by the next one.
    const untilNext = called.delete(computer) ? 0 : pauseMs
    wheel.set(computer, storms.restartIfHit(computer) ?? Date.now() + untilNext)
    if (isConnecting(world, computer)) connections.ensure(computer, fleet.credential[computer] ?? '')
    pump()
  }

  for (let computer = 0; computer < fleet.size; computer++)
    wheel.set(computer, beganAt + (computer / scenario.enrolment.perSecond) * 1000)
  const ticking = setInterval(() => {
    const now = Date.now()
    for (const computer of storms.strike(now))
      if (wheel.timeOf(computer) < Number.POSITIVE_INFINITY) wheel.set(computer, storms.restartIfHit(computer) ?? now)
    wheel.wakeDue(now, waiting.push)
    pump()
  }, tickMs)

  return {
    fleet,
    measurements,
    startedAt: world.plan.startedAt,
    failure,
    wake(computers) {
      for (const computer of computers)
        if (wheel.timeOf(computer) < Number.POSITIVE_INFINITY) wheel.set(computer, Date.now())
    },
    progress: () => ({
      enrolled: fleet.credential.reduce((count, credential) => count + (credential ? 1 : 0), 0),
      waiting: waiting.length(),
      underWay: running.size,
      busy: world.tasks.size,
      connected: connections.count(),
    }),
    async stop() {
      isStopping = true
      clearInterval(ticking)
      connections.close()
      const end = Date.now() + stopTimeoutMs
      while (running.size > 0 && Date.now() < end) await sleep(tickMs)
      await world.channel.destroy()
    },
  }
}

function isConnecting({ fleet, scenario }: World, computer: number): boolean {
  return keepsConnection(scenario, at(fleet.number, computer)) && at(fleet.kind, computer) === kinds.plain
}

function openWorld(
  { scenario, server, certificates, tokenOf, saved }: SimulationOptions,
  isConnected: World['isConnected'],
): World {
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
    isConnected,
    tasks: new Map(),
    taken: new Map(),
    preDownloads: new Map(),
    now: Date.now,
    beganAt: Date.now(),
  }
}

/** Takes the next step of a computer. Returns the pause before its next step in milliseconds. */
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
    if (error instanceof RequestLost) return pauseAfterLoss(world, computer, error)
    if (error instanceof RequestRefused) return pauseAfterRefusal(world, computer)
    throw error
  }
}

/** The pause doubles with each loss, as in the real agent. */
function pauseAfterLoss(world: World, computer: number, { retryAfterSeconds }: RequestLost): number {
  const failures = Math.min(20, at(world.fleet.failures, computer) + 1)
  world.fleet.failures[computer] = failures
  const limit = Math.min(maxPauseMs, firstPauseMs * 2 ** (failures - 1))
  const share = 0.5 + drawsFor(world, computer, 'pause', at(world.fleet.requests, computer)).next() / 2
  return Math.max(Math.min(retryAfterSeconds * 1000, maxPauseMs), limit * share)
}

/** A refusal is permanent, so the computer retries rarely. */
function pauseAfterRefusal(world: World, computer: number): number {
  world.tasks.delete(computer)
  if (at(world.fleet.phase, computer) === phases.working) world.fleet.phase[computer] = phases.contacting
  const isTwin = at(world.fleet.kind, computer) === kinds.twin
  return maxPauseMs * (isTwin ? 1 : 0.5 + drawsFor(world, computer, 'pause').next() / 2)
}
