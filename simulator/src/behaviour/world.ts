import type { Channel, Fate, Sender } from '../channel.ts'
import { at, type Fleet, kinds, packagesOf, phases } from '../fleet.ts'
import type { CurrentState } from '../machines/inventory.ts'
import { type FleetPlan, type Machine, machineOf } from '../machines/machine.ts'
import type { Measurements } from '../measurements.ts'
import { type Draws, drawsOf, uuidOf } from '../random.ts'
import type { Scenario } from '../scenario.ts'
import { hasWrongClock } from '../traits.ts'
import type { PreDownloadsOfComputer } from './pre-download-reports.ts'
import type { Task } from './task.ts'

/** What the steps of all computers share. */
export type World = {
  scenario: Scenario
  plan: FleetPlan
  fleet: Fleet
  channel: Channel
  measurements: Measurements
  /** Returns the enrolment token for the computer with this number. */
  tokenOf(number: number): string
  /** Whether the computer has a wake connection. */
  isConnected(computer: number): boolean
  /** The tasks of the computers that have work. */
  tasks: Map<number, Task>
  /** The optional packages that users have taken since the last contact of their computers. */
  taken: Map<number, string>
  /** What computers have downloaded before its time. */
  preDownloads: Map<number, PreDownloadsOfComputer>
  now(): number
  /** Start of this run in milliseconds since 1970. */
  beganAt: number
}

/** The random draws of a computer. A clone draws for itself, although it has the number of its original. */
export function drawsFor(
  { plan, fleet }: Pick<World, 'plan' | 'fleet'>,
  computer: number,
  purpose: string,
  occasion = 0,
): Draws {
  const ownPurpose = at(fleet.kind, computer) === kinds.clone ? `clone ${purpose}` : purpose
  return drawsOf(plan.seed, at(fleet.number, computer), ownPurpose, occasion)
}

export function machineAt({ plan, fleet }: World, computer: number): Machine {
  const machine = machineOf(plan, at(fleet.number, computer))
  if (at(fleet.kind, computer) !== kinds.twin) return machine
  return { ...machine, uuid: machineOf(plan, at(fleet.number, at(fleet.original, computer))).uuid }
}

export function senderOf(world: World, computer: number): Sender {
  const { fleet } = world
  return { credential: fleet.credential[at(fleet.original, computer)] ?? '', fate: () => drawFate(world, computer) }
}

/** Each request is decided on its own, independently of earlier ones. */
function drawFate(world: World, computer: number): Fate {
  const { requests } = world.fleet
  const occasion = at(requests, computer)
  requests[computer] = occasion + 1
  const { lostRate } = world.scenario.network
  if (lostRate === 0) return 'arrives'
  const draws = drawsFor(world, computer, 'network', occasion)
  if (!draws.happens(lostRate)) return 'arrives'
  return draws.pick<Fate>(['not sent', 'answer lost', { breaksAfterMs: draws.whole(1, 20) }])
}

/** A time as the clock of the computer shows it. */
export function ownTime(world: World, computer: number, time: number): string {
  const { maximumMinutes } = world.scenario.clockSkew
  if (!hasWrongClock(world.scenario, at(world.fleet.number, computer))) return new Date(time).toISOString()
  const skew = (drawsFor(world, computer, 'clock').next() * 2 - 1) * maximumMinutes
  return new Date(time + skew * 60_000).toISOString()
}

/** The random id of the agent process. It changes with every start. */
export function runIdOf(world: World, computer: number): string {
  return uuidOf(drawsFor(world, computer, 'run', at(world.fleet.runs, computer)))
}

export function currentStateOf({ fleet, scenario, now }: World, computer: number): CurrentState {
  return {
    now: now(),
    changeMinutes: scenario.inventory.changeMinutes,
    packages: packagesOf(fleet, computer),
    revision: at(fleet.revision, computer),
  }
}

/** Restarts a computer: its agent is a new process, and of its work only unreported results survive. */
export function restart({ fleet, tasks, measurements }: World, computer: number, bootedAt: number): void {
  fleet.runs[computer] = at(fleet.runs, computer) + 1
  fleet.bootedAt[computer] = bootedAt
  fleet.isRebootRequired[computer] = 0
  const { unreported = [], bundlesResults = false } = tasks.get(computer) ?? {}
  if (unreported.length > 0) tasks.set(computer, { items: [], mayBeginUntil: 0, bundlesResults, unreported })
  else {
    tasks.delete(computer)
    if (at(fleet.phase, computer) === phases.working) fleet.phase[computer] = phases.contacting
  }
  measurements.count('restarts')
}
