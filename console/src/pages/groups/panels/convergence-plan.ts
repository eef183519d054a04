import type { components } from '../../../api/types.ts'
import { areCriteriaComplete, type TypedCriteria } from '../../rollout/criteria-fields.tsx'
import type { ConvergenceRing } from '../group-queries.ts'
import {
  isNumber,
  isRingComplete,
  isWindowComplete,
  type PlannedRing,
  type PlannedTimes,
  toRingRequest,
  toWindowRequest,
  usualCriteria,
} from './rollout-plan.ts'

type Convergence = components['schemas']['GroupConvergence']
type Windows = NonNullable<ConvergenceRing['windows']>

/** A ring as a person plans it, and the maintenance windows that it has. */
type ConvergencePlanRing = PlannedRing & { windows: Windows }

export type ConvergencePlan = PlannedTimes & {
  choice: 'On' | 'Off' | 'Inherit'
  rings: readonly ConvergencePlanRing[]
  /** Rings keep the windows that they have, because these differ, until a person gives all of them the same. */
  hasWindowsPerRing: boolean
  criteria: TypedCriteria
  /** Numbers may be empty while they are typed. */
  expectedComputers: number | string
  /** Empty: no limit. */
  expectedPercent: number | string
  maxRemovals: number | string
  maxRepairsPerDay: number | string
}

const defaultRings: ConvergenceRing[] = [{ percent: 10 }, {}]

/** The plan to start from: the setting that the group has or inherits. */
export function firstConvergencePlan(convergence: Convergence): ConvergencePlan {
  const { state, isInherited, criteria, timeZone, expectedPercent } = convergence
  const rings = (convergence.rings ?? defaultRings).map(toPlannedRing)
  const windows = rings[0]?.windows ?? []
  const hasWindowsPerRing = rings.some((ring) => JSON.stringify(ring.windows) !== JSON.stringify(windows))
  return {
    choice: isInherited ? (state === 'On' ? 'Inherit' : 'On') : state,
    rings,
    hasWindowsPerRing,
    windows: hasWindowsPerRing ? [] : windows.map(toPlannedWindow),
    timeZone,
    criteria: criteria ?? { ...usualCriteria, awayHours: 1 },
    expectedComputers: convergence.expectedComputers ?? 100,
    expectedPercent: expectedPercent ?? '',
    maxRemovals: convergence.maxRemovals ?? 10,
    maxRepairsPerDay: convergence.maxRepairsPerDay ?? 3,
  }
}

function toPlannedRing(ring: ConvergenceRing, index: number): ConvergencePlanRing {
  const { name = '', count, percent, groupId = null, releaseMinutes = 0, windows = [] } = ring
  const rule = count !== undefined ? 'count' : percent !== undefined ? 'percent' : groupId ? 'group' : 'rest'
  return { id: index + 1, name, rule, size: count ?? percent ?? '', groupId, releaseMinutes, windows }
}

const toPlannedWindow = ({ days, start, durationMinutes }: Windows[number], index: number) => ({
  id: index + 1,
  days,
  start,
  hours: durationMinutes / 60,
})

export function isConvergenceComplete(plan: ConvergencePlan): boolean {
  const { rings, windows, criteria, expectedComputers, maxRemovals, maxRepairsPerDay } = plan
  if (plan.choice !== 'On') return true
  return (
    [expectedComputers, maxRemovals, maxRepairsPerDay].every(isNumber) &&
    rings.length > 1 &&
    rings.every(isRingComplete) &&
    windows.every(isWindowComplete) &&
    areCriteriaComplete(criteria)
  )
}

export function toRequest(plan: ConvergencePlan): components['schemas']['SetGroupConvergenceRequest'] {
  if (plan.choice !== 'On') return { state: 'Off' }
  const windows = plan.windows.map(toWindowRequest)
  return {
    state: 'On',
    rings: plan.rings.map((ring) => ({
      ...toRingRequest(ring),
      windows: plan.hasWindowsPerRing ? ring.windows : windows,
    })),
    criteria: plan.criteria as components['schemas']['RolloutCriteria'],
    timeZone: plan.timeZone,
    expectedPercent: plan.expectedPercent === '' ? null : Number(plan.expectedPercent),
    expectedComputers: Number(plan.expectedComputers),
    maxRemovals: Number(plan.maxRemovals),
    maxRepairsPerDay: Number(plan.maxRepairsPerDay),
  }
}
