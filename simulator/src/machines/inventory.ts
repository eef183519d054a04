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
  /** The section changes every `pace` × `changeMinutes`; undefined: never. */
  pace?: number
  /** Whether a computer reports the section; undefined: every computer does. */
  isReported?(machine: Machine): boolean
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
  batteries: { ...list(batteriesOf, 7), isReported: ({ model }) => model.batteryMwh !== null },
  printers: { ...list(printersOf), isReported: ({ isServer }) => !isServer },
  videoControllers: list(videoControllersOf),
  monitors: { ...list(monitorsOf), isReported: ({ isServer }) => !isServer },
  processors: list(processorsOf),
  installedSoftware: list(installedSoftwareOf, 7),
  services: list(servicesOf, 5),
  security: one(securityOf, 2),
} satisfies Record<string, Section>

export type SectionName = keyof typeof sections

export const sectionNames = Object.keys(sections) as SectionName[]

/** The sections that a computer reports. One without a battery, for example, reports no batteries. */
export function sectionNamesOf(machine: Machine): SectionName[] {
  return sectionNames.filter((name) => (sections[name] as Section).isReported?.(machine) ?? true)
}

/** The state of a computer that does not follow from the seed. */
export type CurrentState = {
  now: number
  /** The `inventory.changeMinutes` of the scenario. */
  changeMinutes: number
  packages: readonly { name: string; version: string }[]
  /** Counts the changes of the packages. */
  revision: number
}

/** How often a section has changed since the start of the fleet, and when it last did. The times differ per computer. */
export function epochOf(plan: FleetPlan, machine: Machine, pace: number | undefined, current: CurrentState) {
  if (pace === undefined) return { epoch: 0, since: plan.startedAt }
  const period = pace * current.changeMinutes * 60_000
  const shift = drawsOf(plan.seed, machine.number, 'hours').next() * period
  const epoch = Math.max(0, Math.floor((current.now - plan.startedAt + shift) / period))
  return { epoch, since: plan.startedAt + epoch * period - shift }
}

/** The content of a section as the computer sends it. It depends on the arguments only. */
export function sectionOf(plan: FleetPlan, machine: Machine, name: SectionName, current: CurrentState) {
  const { pace, content } = sections[name] as Section
  return content({ plan, machine, packages: current.packages, ...epochOf(plan, machine, pace, current) })
}

/** The hash of each section. It covers the inputs of the section, which determine its content. */
export function sectionHashes(plan: FleetPlan, machine: Machine, current: CurrentState): Record<string, string> {
  const hashes: Record<string, string> = {}
  for (const name of sectionNamesOf(machine)) {
    const { pace } = sections[name] as Section
    const { epoch } = epochOf(plan, machine, pace, current)
    const revision = name === 'installedSoftware' ? current.revision : 0
    hashes[name] = hash('sha256', `${plan.seed} ${plan.startedAt} ${machine.uuid} ${name} ${epoch} ${revision}`)
  }
  return hashes
}
