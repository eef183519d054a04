import type { Channel, Fate, Line } from '../channel.ts'
import { at, type Fleet, kinds, packagesOf, phases } from '../fleet.ts'
import type { Present } from '../machines/inventory.ts'
import { type FleetPlan, type Machine, machineOf } from '../machines/machine.ts'
import type { Measurements } from '../measurements.ts'
import { type Draws, drawsOf, uuidOf } from '../random.ts'
import type { Scenario } from '../scenario.ts'
import { hasWrongClock } from '../traits.ts'
import type { Task } from './task.ts'

/** What every computer has at hand. */
export type World = {
  scenario: Scenario
  plan: FleetPlan
  fleet: Fleet
  channel: Channel
  measurements: Measurements
  /** The token with which the computer of this number enrols. */
  tokenOf(number: number): string
  /** What the busy computers are at. */
  tasks: Map<number, Task>
  now(): number
  /** When this run began. */
  beganAt: number
}

/** What the computer draws. A clone draws for itself, although it looks like the computer it was copied from. */
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

export function lineOf(world: World, computer: number): Line {
  const { fleet } = world
  return { credential: fleet.credential[at(fleet.original, computer)] ?? '', fate: () => fateOf(world, computer) }
}

/** Each request has its own luck, whatever became of those before. */
function fateOf(world: World, computer: number): Fate {
  const { requests } = world.fleet
  const occasion = at(requests, computer)
  requests[computer] = occasion + 1
  const { lostRate } = world.scenario.network
  if (lostRate === 0) return 'arrives'
  const draws = drawsFor(world, computer, 'network', occasion)
  if (!draws.happens(lostRate)) return 'arrives'
  return draws.pick<Fate>(['not sent', 'answer lost', { breaksAfterMs: draws.whole(1, 20) }])
}

/** The time by the clock of the computer. */
export function ownTime(world: World, computer: number, time: number): string {
  const { maximumMinutes } = world.scenario.clockSkew
  if (!hasWrongClock(world.scenario, at(world.fleet.number, computer))) return new Date(time).toISOString()
  const skew = (drawsFor(world, computer, 'clock').next() * 2 - 1) * maximumMinutes
  return new Date(time + skew * 60_000).toISOString()
}

/** A random id of the process of the agent, which changes with every start. */
export function runIdOf(world: World, computer: number): string {
  return uuidOf(drawsFor(world, computer, 'run', at(world.fleet.runs, computer)))
}

export function presentOf({ fleet, scenario, now }: World, computer: number): Present {
  return {
    now: now(),
    changeMinutes: scenario.inventory.changeMinutes,
    packages: packagesOf(fleet, computer),
    revision: at(fleet.revision, computer),
  }
}

/** The computer starts anew: another process of its agent, and nothing left of what it was at. */
export function restart({ fleet, tasks, measurements }: World, computer: number, bootedAt: number): void {
  fleet.runs[computer] = at(fleet.runs, computer) + 1
  fleet.bootedAt[computer] = bootedAt
  fleet.isRebootRequired[computer] = 0
  const untold = tasks.get(computer)?.untold
  if (untold) tasks.set(computer, { orders: [], untold })
  else {
    tasks.delete(computer)
    if (at(fleet.phase, computer) === phases.working) fleet.phase[computer] = phases.contacting
  }
  measurements.count('restarts')
}
