import type { components } from '../../../api/types.ts'
import type { ConvergenceRing } from '../group-queries.ts'
import type { PlannedRing } from './rollout-plan.ts'

type Convergence = components['schemas']['GroupConvergence']

/** A ring as a person plans it. Its maintenance windows stay as they are. */
type ConvergencePlanRing = PlannedRing & Pick<ConvergenceRing, 'windows'>

export type ConvergencePlan = {
  choice: 'On' | 'Off' | 'Inherit'
  rings: readonly ConvergencePlanRing[]
  /** Numbers may be empty while they are typed. */
  expectedComputers: number | string
  maxRemovals: number | string
  maxRepairsPerDay: number | string
  /** What the panel keeps; null: what the service would choose. */
  kept: Pick<Convergence, 'criteria' | 'timeZone' | 'expectedPercent'>
}

const defaultRings: ConvergenceRing[] = [{ percent: 10 }, {}]

/** The plan to start from: the setting that the group has or inherits. */
export function firstConvergencePlan(convergence: Convergence): ConvergencePlan {
  const { state, isInherited, criteria, timeZone, expectedPercent } = convergence
  return {
    choice: isInherited ? (state === 'On' ? 'Inherit' : 'On') : state,
    rings: (convergence.rings ?? defaultRings).map(toPlannedRing),
    expectedComputers: convergence.expectedComputers ?? 100,
    maxRemovals: convergence.maxRemovals ?? 10,
    maxRepairsPerDay: convergence.maxRepairsPerDay ?? 3,
    kept: { criteria, timeZone, expectedPercent },
  }
}

function toPlannedRing(ring: ConvergenceRing, index: number): ConvergencePlanRing {
  const { name = '', count, percent, groupId = null, releaseMinutes = 0, windows = [] } = ring
  const rule = count !== undefined ? 'count' : percent !== undefined ? 'percent' : groupId ? 'group' : 'rest'
  return { id: index + 1, name, rule, size: count ?? percent ?? '', groupId, releaseMinutes, windows }
}

export function isConvergenceComplete(plan: ConvergencePlan): boolean {
  const isNumber = (value: number | string) => typeof value === 'number'
  const isRingComplete = ({ rule, size, groupId, releaseMinutes }: PlannedRing) =>
    isNumber(releaseMinutes) && (rule === 'rest' || (rule === 'group' ? groupId !== null : isNumber(size)))
  const areLimitsComplete = [plan.expectedComputers, plan.maxRemovals, plan.maxRepairsPerDay].every(isNumber)
  return plan.choice !== 'On' || (areLimitsComplete && plan.rings.length > 1 && plan.rings.every(isRingComplete))
}

export function toRequest(plan: ConvergencePlan): components['schemas']['SetGroupConvergenceRequest'] {
  if (plan.choice !== 'On') return { state: 'Off' }
  const { criteria, timeZone, expectedPercent } = plan.kept
  return {
    state: 'On',
    rings: plan.rings.map((ring) => ({
      ...(ring.name.trim() && { name: ring.name }),
      ...(ring.rule === 'count' && { count: Number(ring.size) }),
      ...(ring.rule === 'percent' && { percent: Number(ring.size) }),
      ...(ring.rule === 'group' && { groupId: ring.groupId ?? '' }),
      releaseMinutes: Number(ring.releaseMinutes),
      windows: ring.windows ?? [],
    })),
    ...(criteria && { criteria }),
    timeZone,
    expectedPercent,
    expectedComputers: Number(plan.expectedComputers),
    maxRemovals: Number(plan.maxRemovals),
    maxRepairsPerDay: Number(plan.maxRepairsPerDay),
  }
}
