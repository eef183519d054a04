import type { FleetPlan, Machine } from '../machine.ts'

/** A computer at a time, as far as one section of its inventory is concerned. */
export type Moment = {
  plan: FleetPlan
  machine: Machine
  /** How often the section has changed since the fleet began. */
  epoch: number
  /** When it changed last, in milliseconds. */
  since: number
  /** What was installed on the computer by its agent. */
  packages: readonly { name: string; version: string }[]
}

/** With one decimal, as computers tell them. */
export const gigabytes = (value: number) => Math.max(0, Math.round(value * 10) / 10)
