import { createHash } from 'node:crypto'
import { type Draws, drawsOf } from '../random.ts'
import type { Platform, Scenario } from '../scenario.ts'
import { type Model, models } from './models.ts'
import { type Department, departments, firstNames, lastNames, type Site, sites } from './people.ts'
import { type OperatingSystem, operatingSystems } from './systems.ts'

/** The part of a scenario that determines the properties of computers. */
export type FleetPlan = Pick<Scenario, 'seed' | 'domain' | 'platforms'> & {
  /** Start date of the fleet in milliseconds since 1970. */
  startedAt: number
}

export type Person = { firstName: string; lastName: string; login: string }

/** The properties of a computer that never change. They are derived from the seed whenever they are needed. */
export type Machine = {
  number: number
  name: string
  domain: string
  uuid: string
  mac: string
  serial: string
  platform: Platform
  system: OperatingSystem
  model: Model
  isServer: boolean
  memoryGb: number
  diskGb: number
  site: Site
  department: Department
  person: Person
  /** In years. */
  age: number
}

export function machineOf(plan: Omit<FleetPlan, 'startedAt'>, number: number): Machine {
  const draws = drawsOf(plan.seed, number, 'machine')
  const platform = platformOf(plan, number)
  const system = pickWeighted(
    draws,
    operatingSystems.filter((one) => one.platform === platform),
  )
  const model = modelOf(draws, platform, system)
  const site = sites[number % sites.length] ?? sites[0]
  const person = personOf(draws)
  return {
    number,
    name: nameOf(number, site, platform, system),
    domain: plan.domain,
    uuid: machineUuidOf(plan.seed, number),
    mac: macOf(plan.seed, number),
    serial: serialOf(draws),
    platform,
    system,
    model,
    isServer: system.isServer,
    memoryGb: draws.pick(model.memoryGb),
    diskGb: draws.pick(model.diskGb),
    site,
    department: departments[Math.floor(number / sites.length) % departments.length] ?? 'Sales',
    person,
    age: draws.whole(0, 5),
  }
}

/** Whether a computer is among a share of all computers. The share is spread evenly over the numbers. */
export function isAmong(number: number, share: number, purpose: number): boolean {
  const position = number + purpose * 0.37
  return Math.floor(position * share) !== Math.floor((position - 1) * share)
}

const goldenRatio = 0.618_033_988_749_895

function platformOf({ platforms }: Pick<FleetPlan, 'platforms'>, number: number): Platform {
  const position = (number * goldenRatio) % 1
  if (position < platforms.windows) return 'windows'
  return position < platforms.windows + platforms.linux ? 'linux' : 'macos'
}

function pickWeighted(draws: Draws, choices: readonly OperatingSystem[]): OperatingSystem {
  let remaining = draws.next() * choices.reduce((sum, { weight }) => sum + weight, 0)
  for (const choice of choices) {
    remaining -= choice.weight
    if (remaining < 0) return choice
  }
  return draws.pick(choices)
}

function modelOf(draws: Draws, platform: Platform, { isServer }: OperatingSystem): Model {
  const kinds = isServer ? ['server', 'virtual'] : ['laptop', 'desktop']
  const maker = platform === 'macos' ? 'macos' : 'any'
  return draws.pick(models.filter((model) => model.platform === maker && kinds.includes(model.kind)))
}

function personOf(draws: Draws): Person {
  const [firstName, lastName] = [draws.pick(firstNames), draws.pick(lastNames)]
  return { firstName, lastName, login: `${firstName.charAt(0)}${lastName}`.toLowerCase() }
}

const shortNames: Record<Platform, string> = { windows: 'w', linux: 'l', macos: 'm' }

function nameOf(number: number, { code }: Site, platform: Platform, { isServer }: OperatingSystem): string {
  return `${code}-${isServer ? 'srv' : `${shortNames[platform]}pc`}-${String(number).padStart(6, '0')}`
}

/** A UUID that is unique per seed and number, independent of random draws. */
function machineUuidOf(seed: number, number: number): string {
  const digits = createHash('sha256').update(`muster simulator ${seed} ${number}`).digest('hex')
  return [
    digits.slice(0, 8),
    digits.slice(8, 12),
    `4${digits.slice(13, 16)}`,
    `a${digits.slice(17, 20)}`,
    digits.slice(20, 32),
  ].join('-')
}

/** A locally administered address that contains the number. */
function macOf(seed: number, number: number): string {
  const bytes = [
    0x02,
    seed & 0xff,
    (number >>> 24) & 0xff,
    (number >>> 16) & 0xff,
    (number >>> 8) & 0xff,
    number & 0xff,
  ]
  return bytes.map((byte) => byte.toString(16).padStart(2, '0').toUpperCase()).join(':')
}

const serialCharacters = '0123456789ABCDEFGHJKLMNPQRSTUVWXYZ'

function serialOf(draws: Draws): string {
  return Array.from({ length: 8 }, () => draws.pick([...serialCharacters])).join('')
}
