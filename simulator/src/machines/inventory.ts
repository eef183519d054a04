import { hash } from 'node:crypto'
import { drawsOf } from '../random.ts'
import type { FleetPlan, Machine } from './machine.ts'
import {
  batteriesOf,
  biosOf,
  computerSystemOf,
  disksOf,
  monitorsOf,
  printersOf,
  processorsOf,
  videoControllersOf,
} from './sections/hardware.ts'
import type { Moment } from './sections/moment.ts'
import { installedSoftwareOf, servicesOf } from './sections/software.ts'
import { networkAdaptersOf, securityOf, systemOf } from './sections/system.ts'

type Section = {
  /** After how many of the scenario's changes this section changes; without it, never. */
  pace?: number
  /** Whether the computer can tell it at all; all can, unless given. */
  isTold?(machine: Machine): boolean
  content(moment: Moment): { item: unknown } | { items: unknown[] }
}

const list = (of: (moment: Moment) => unknown[], pace?: number): Section => ({
  ...(pace && { pace }),
  content: (moment) => ({ items: of(moment) }),
})

const one = (of: (moment: Moment) => unknown, pace?: number): Section => ({
  ...(pace && { pace }),
  content: (moment) => ({ item: of(moment) }),
})

const sections = {
  system: one(systemOf, 1),
  bios: one(biosOf),
  computerSystem: one(computerSystemOf),
  disks: list(disksOf, 1),
  networkAdapters: list(networkAdaptersOf, 3),
  batteries: { ...list(batteriesOf, 7), isTold: ({ model }) => model.batteryMwh !== null },
  printers: { ...list(printersOf), isTold: ({ isServer }) => !isServer },
  videoControllers: list(videoControllersOf),
  monitors: { ...list(monitorsOf), isTold: ({ isServer }) => !isServer },
  processors: list(processorsOf),
  installedSoftware: list(installedSoftwareOf, 7),
  services: list(servicesOf, 5),
  security: one(securityOf, 2),
} satisfies Record<string, Section>

export type SectionName = keyof typeof sections

export const sectionNames = Object.keys(sections) as SectionName[]

/** A computer without a battery has nothing to tell about it. */
export function sectionNamesOf(machine: Machine): SectionName[] {
  return sectionNames.filter((name) => (sections[name] as Section).isTold?.(machine) ?? true)
}

/** What is known about a computer beside what its seed says. */
export type Present = {
  now: number
  /** The `inventory.changeMinutes` of the scenario. */
  changeMinutes: number
  packages: readonly { name: string; version: string }[]
  /** How often the packages have changed. */
  revision: number
}

/** How often a section has changed since the fleet began, and when it did so last. Each computer has hours of its own. */
export function epochOf(plan: FleetPlan, machine: Machine, pace: number | undefined, present: Present) {
  if (pace === undefined) return { epoch: 0, since: plan.startedAt }
  const period = pace * present.changeMinutes * 60_000
  const shift = drawsOf(plan.seed, machine.number, 'hours').next() * period
  const epoch = Math.max(0, Math.floor((present.now - plan.startedAt + shift) / period))
  return { epoch, since: plan.startedAt + epoch * period - shift }
}

/** The content of a section as it would be sent, which depends on nothing but the arguments. */
export function sectionOf(plan: FleetPlan, machine: Machine, name: SectionName, present: Present) {
  const { pace, content } = sections[name] as Section
  return content({ plan, machine, packages: present.packages, ...epochOf(plan, machine, pace, present) })
}

/** The hash of each section. What a section is made of decides about its content, so that this is what is hashed. */
export function sectionHashes(plan: FleetPlan, machine: Machine, present: Present): Record<string, string> {
  const hashes: Record<string, string> = {}
  for (const name of sectionNamesOf(machine)) {
    const { pace } = sections[name] as Section
    const { epoch } = epochOf(plan, machine, pace, present)
    const revision = name === 'installedSoftware' ? present.revision : 0
    hashes[name] = hash('sha256', `${plan.seed} ${plan.startedAt} ${machine.uuid} ${name} ${epoch} ${revision}`)
  }
  return hashes
}
