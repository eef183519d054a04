import type { HealthStatus } from '../../src/features/issues/computer-health.ts'
import type { IssueName } from '../../src/features/issues/issues.ts'

const hour = 3_600_000

export type PlannedDisk = {
  type: number
  total: number | null
  free: number | null
  state: 'Encrypted' | 'Unencrypted'
}
export type PlannedBattery = { designed: number | null; full: number | null }
export type PlannedAgent = { reboot: boolean; suspension: null | { hoursLeft: number | null } }
export type PlannedDeployment = {
  state: 'Failed' | 'Success' | 'Pending'
  pendingHours: number
  work: 'none' | 'waiting' | 'started' | 'later'
}

/** A computer of the model. Times are given as their distance from now. */
export type PlannedComputer = {
  domain: string
  isWindows: boolean
  isMember: boolean
  seenHours: number | null
  /** The contact interval of the agent template, in hours. */
  intervalHours: number
  createdDays: number
  inventoryDays: number | null
  disks: readonly PlannedDisk[]
  batteries: readonly PlannedBattery[]
  agent: PlannedAgent | null
  deployments: readonly PlannedDeployment[]
  /** Positions in the catalog of missing patches; every second patch is a security patch. */
  missing: readonly number[]
}

export type PlannedThresholds = {
  minFreePercent?: number
  minFreeGb?: number
  maxHealthPercent?: number
  minHoursStale?: number
  maxHoursStale?: number
  minHoursPending?: number
  maxDaysPending?: number
}

export type PlannedFilter = { domain?: string; isMember?: boolean; lastSeenWithinDays?: number }

export const since = (hours: number) => new Date(Date.now() - hours * hour)

export const isSecurityPatch = (position: number) => position % 2 === 0

type Rule = (computer: PlannedComputer, thresholds: PlannedThresholds) => number

const count = <T>(items: readonly T[], isWrong: (item: T) => boolean) => items.filter(isWrong).length

const percentFree = ({ total, free }: PlannedDisk) => (total && free !== null ? (100 * free) / total : null)

const health = ({ designed, full }: PlannedBattery) =>
  designed && full ? Math.round((1_000 * full) / designed) / 10 : null

const staleAfter = ({ intervalHours }: PlannedComputer) => Math.max(24, 1.5 * intervalHours)

/** The number of occurrences of each issue, by rules that are as simple as possible. */
const rules: Record<IssueName, Rule> = {
  'low-disk': ({ disks }, { minFreeGb, minFreePercent = minFreeGb === undefined ? 10 : undefined }) =>
    count(disks, (disk) => {
      const percent = percentFree(disk)
      const isBelowPercent = minFreePercent !== undefined && percent !== null && percent < minFreePercent
      const isBelowGb = minFreeGb !== undefined && disk.free !== null && disk.free < minFreeGb
      return disk.type === 3 && (isBelowPercent || isBelowGb)
    }),
  'battery-wear': ({ batteries }, { maxHealthPercent = 60 }) =>
    count(batteries, (battery) => (health(battery) ?? Number.POSITIVE_INFINITY) <= maxHealthPercent),
  'bitlocker-off': ({ isWindows, disks }) =>
    isWindows ? count(disks, ({ type, state }) => type === 3 && state === 'Unencrypted') : 0,
  'pending-reboot': ({ agent }) => Number(agent?.reboot ?? false),
  'failed-deployment': ({ deployments }) => count(deployments, ({ state }) => state === 'Failed'),
  'missing-patch': ({ missing }) => count(missing, isSecurityPatch),
  'stale-agent': (computer, { minHoursStale = staleAfter(computer), maxHoursStale = Number.POSITIVE_INFINITY }) =>
    Number(computer.seenHours !== null && computer.seenHours >= minHoursStale && computer.seenHours <= maxHoursStale),
  'stale-inventory': ({ createdDays, inventoryDays }) => Number((inventoryDays ?? createdDays) >= 14),
  'stale-deployment': ({ seenHours, deployments }, { minHoursPending = 24, maxDaysPending = 30 }) =>
    count(
      deployments,
      ({ state, pendingHours, work }) =>
        state === 'Pending' &&
        seenHours !== null &&
        seenHours <= 24 &&
        pendingHours >= minHoursPending &&
        pendingHours <= maxDaysPending * 24 &&
        (work === 'none' || work === 'waiting'),
    ),
  'agent-suspended': ({ agent }) =>
    Number(agent?.suspension != null && (agent.suspension.hoursLeft === null || agent.suspension.hoursLeft > 0)),
  'software-drift': () => 0,
}

/** The number of occurrences of each issue that the computer has. */
export function expectedIssues(computer: PlannedComputer, thresholds: PlannedThresholds = {}) {
  const counts = Object.entries(rules).map(([name, rule]): [string, number] => [name, rule(computer, thresholds)])
  return new Map(counts.filter(([, occurrences]) => occurrences > 0))
}

export function expectedHealth(computer: PlannedComputer): HealthStatus {
  const { seenHours } = computer
  if (seenHours === null || seenHours >= Math.max(7 * 24, 2 * staleAfter(computer))) return 'Unreachable'
  return expectedIssues(computer).size > 0 ? 'Warning' : 'Healthy'
}

export function passes(computer: PlannedComputer, { domain, isMember, lastSeenWithinDays: days }: PlannedFilter) {
  const { seenHours } = computer
  return (
    (domain === undefined || computer.domain.toLowerCase() === domain.toLowerCase()) &&
    (!isMember || computer.isMember) &&
    (days === undefined || (seenHours !== null && seenHours <= days * 24))
  )
}
