import type { components } from '../../../api/types.ts'

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

export type RolloutPlan = {
  name: string
  packageId: string | null
  rings: readonly PlannedRing[]
  minSuccessPercent: number | string
  soakMinutes: number | string
}

const maxRings = 20

/** A cautious plan to start from: a few computers, some more, and all others. */
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
    minSuccessPercent: 95,
    soakMinutes: 60,
  }
}

/** A further ring before the last one, which takes the rest. */
export function withAnotherRing(plan: RolloutPlan, name: string): RolloutPlan {
  const id = Math.max(...plan.rings.map((ring) => ring.id)) + 1
  const ring: PlannedRing = { id, name, rule: 'percent', size: 25, groupId: null, releaseMinutes: 0 }
  return { ...plan, rings: [...plan.rings.slice(0, -1), ring, ...plan.rings.slice(-1)] }
}

export const canHaveAnotherRing = ({ rings }: RolloutPlan) => rings.length < maxRings

export function isPlanComplete({ name, rings, minSuccessPercent, soakMinutes }: RolloutPlan): boolean {
  const isNumber = (value: number | string) => typeof value === 'number'
  const isRingComplete = ({ rule, size, groupId, releaseMinutes }: PlannedRing) =>
    isNumber(releaseMinutes) && (rule === 'rest' || (rule === 'group' ? groupId !== null : isNumber(size)))
  return name.trim() !== '' && isNumber(minSuccessPercent) && isNumber(soakMinutes) && rings.every(isRingComplete)
}

export function toRolloutRequest(
  groupId: string,
  { name, packageId, rings, minSuccessPercent, soakMinutes }: RolloutPlan,
): components['schemas']['CreateRolloutRequest'] {
  return {
    name,
    groupId,
    packageId,
    emergency: false,
    allowLastOfSite: false,
    rings: rings.map((ring) => ({
      ...(ring.name.trim() && { name: ring.name }),
      ...(ring.rule === 'count' && { count: Number(ring.size) }),
      ...(ring.rule === 'percent' && { percent: Number(ring.size) }),
      ...(ring.rule === 'group' && { groupId: ring.groupId ?? '' }),
      releaseMinutes: Number(ring.releaseMinutes),
    })),
    criteria: { minSuccessPercent: Number(minSuccessPercent), soakMinutes: Number(soakMinutes) },
  }
}
