import type { components } from '../../../api/types.ts'
import { isDeadlineComplete, type UserDeadline } from '../../../components/user-deadline/user-deadline.ts'
import { areCriteriaComplete, type TypedCriteria } from '../../rollout/criteria-fields.tsx'
import type { Weekday } from '../../rollout/windows.ts'

export type RingRule = 'count' | 'percent' | 'group' | 'rest'

/** A ring as a person plans it. Numbers may be empty while they are typed. */
export type PlannedRing = {
  id: number
  name: string
  rule: RingRule
  size: number | string
  groupId: string | null
  releaseMinutes: number | string
}

export type PlannedWindow = { id: number; days: readonly Weekday[]; start: string; hours: number | string }

/** When work may start. */
export type PlannedTimes = {
  /** Of all rings. None: work starts at any time. */
  windows: readonly PlannedWindow[]
  /** Null: that of each computer. */
  timeZone: string | null
}

export type RolloutPlan = PlannedTimes & {
  name: string
  packageId: string | null
  rings: readonly PlannedRing[]
  criteria: TypedCriteria
  deadlineUtc: string | null
  userDeadline: UserDeadline | null
  catchUpDays: number | string
  isEmergency: boolean
  allowsLastOfSite: boolean
}

const maxRings = 20
const maxWindows = 20

/** What the service would choose. */
export const usualCriteria: TypedCriteria = {
  minSuccessPercent: 95,
  minResults: 1,
  soakMinutes: 0,
  awayHours: 24,
  maxFailurePercent: 5,
  sharedCauseComputers: 5,
  silentComputers: 5,
  silentAfterMinutes: 1440,
  bootFailures: 2,
  bootTimeoutMinutes: 60,
}

/** A cautious plan to start from: a few computers, some more, and all others. The rest is what the service would choose. */
export function firstPlan(name: string, names: { pilot: string; early: string; all: string }): RolloutPlan {
  const ring = { groupId: null, releaseMinutes: 0 }
  return {
    name,
    packageId: null,
    rings: [
      { ...ring, id: 1, name: names.pilot, rule: 'percent', size: 5 },
      { ...ring, id: 2, name: names.early, rule: 'percent', size: 25 },
      { ...ring, id: 3, name: names.all, rule: 'rest', size: '' },
    ],
    criteria: { ...usualCriteria, soakMinutes: 60 },
    windows: [],
    timeZone: null,
    deadlineUtc: null,
    userDeadline: null,
    catchUpDays: 14,
    isEmergency: false,
    allowsLastOfSite: false,
  }
}

/** A further ring before the last one, which takes the rest. */
export function withAnotherRing(plan: RolloutPlan, name: string): RolloutPlan {
  const id = Math.max(...plan.rings.map((ring) => ring.id)) + 1
  const ring: PlannedRing = { id, name, rule: 'percent', size: 25, groupId: null, releaseMinutes: 0 }
  return { ...plan, rings: [...plan.rings.slice(0, -1), ring, ...plan.rings.slice(-1)] }
}

export const canHaveAnotherRing = ({ rings }: RolloutPlan) => rings.length < maxRings

/** A further maintenance window: at night on working days. */
export function withAnotherWindow({ windows, timeZone }: PlannedTimes): PlannedTimes {
  const id = Math.max(0, ...windows.map((window) => window.id)) + 1
  const window: PlannedWindow = { id, days: ['Mon', 'Tue', 'Wed', 'Thu', 'Fri'], start: '22:00', hours: 4 }
  return { windows: [...windows, window], timeZone }
}

export const canHaveAnotherWindow = ({ windows }: PlannedTimes) => windows.length < maxWindows

/** Failures pause the rollout as soon as the success that it needs cannot be reached, unless another limit was chosen. */
export function withMinSuccess({ criteria, ...plan }: RolloutPlan, minSuccessPercent: number | null): RolloutPlan {
  const followed = criteria.minSuccessPercent === null ? null : 100 - criteria.minSuccessPercent
  const follows = criteria.maxFailurePercent === followed && minSuccessPercent !== null
  const maxFailurePercent = follows ? 100 - minSuccessPercent : criteria.maxFailurePercent
  return { ...plan, criteria: { ...criteria, minSuccessPercent, maxFailurePercent } }
}

export const isNumber = (value: number | string) => typeof value === 'number'

export const isRingComplete = ({ rule, size, groupId, releaseMinutes }: PlannedRing) =>
  isNumber(releaseMinutes) && (rule === 'rest' || (rule === 'group' ? groupId !== null : isNumber(size)))

export const isWindowComplete = ({ days, start, hours }: PlannedWindow) =>
  days.length > 0 && start !== '' && isNumber(hours)

export function isPlanComplete({ name, rings, criteria, windows, catchUpDays, userDeadline }: RolloutPlan): boolean {
  return (
    name.trim() !== '' &&
    isNumber(catchUpDays) &&
    isDeadlineComplete(userDeadline) &&
    areCriteriaComplete(criteria) &&
    rings.every(isRingComplete) &&
    windows.every(isWindowComplete)
  )
}

export const toRingRequest = (ring: PlannedRing) => ({
  ...(ring.name.trim() && { name: ring.name }),
  ...(ring.rule === 'count' && { count: Number(ring.size) }),
  ...(ring.rule === 'percent' && { percent: Number(ring.size) }),
  ...(ring.rule === 'group' && { groupId: ring.groupId ?? '' }),
  releaseMinutes: Number(ring.releaseMinutes),
})

export const toWindowRequest = ({ days, start, hours }: PlannedWindow) => ({
  days: [...days],
  start,
  durationMinutes: Math.round(Number(hours) * 60),
})

export function toRolloutRequest(groupId: string, plan: RolloutPlan): components['schemas']['CreateRolloutRequest'] {
  return {
    name: plan.name,
    groupId,
    packageId: plan.packageId,
    emergency: plan.isEmergency,
    allowLastOfSite: plan.allowsLastOfSite,
    rings: plan.rings.map(toRingRequest),
    criteria: plan.criteria as components['schemas']['RolloutCriteria'],
    windows: plan.windows.map(toWindowRequest),
    timeZone: plan.timeZone,
    deadlineUtc: plan.deadlineUtc,
    userDeadline: plan.userDeadline,
    catchUpDays: Number(plan.catchUpDays),
  }
}
