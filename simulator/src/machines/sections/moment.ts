import type { FleetPlan, Machine } from '../machine.ts'

/** The state of a computer at one time, for one section of its inventory. */
export type Moment = {
  plan: FleetPlan
  machine: Machine
  /** How often the section has changed since the start of the fleet. */
  epoch: number
  /** Time of its last change, in milliseconds since 1970. */
  since: number
  /** The packages that the agent has installed. */
  packages: readonly { name: string; version: string }[]
}

/** Rounds to one decimal, as computers report sizes. */
export const roundGigabytes = (value: number) => Math.max(0, Math.round(value * 10) / 10)
