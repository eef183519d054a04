/** How a ring selects computers. `size` is a number of computers or a percentage of all computers of the rollout. */
export type RingRule =
  | { kind: 'Count' | 'Percent'; size: number }
  | { kind: 'Group'; groupId: string }
  | { kind: 'Rest' }

/** A computer of a rollout. */
export type RingCandidate = {
  computerId: number
  /** From 0 to 1, a hash of the computer and the rollout. */
  position: number
  /** Those of the groups of the rings that the computer is in. */
  groupIds: readonly string[]
}

/** A rule with the positions that belong to its ring; null if membership does not depend on the position. */
export type PlacedRing = { rule: RingRule; positionsBelow: number | null }

/** The highest position plus a little: all positions are below it. */
const allPositions = 1

/**
 * Gives each ring its computers, in the order of the rings: members of its group, or the computers with the lowest
 * positions that are still free. Every computer then is in the first ring whose condition it meets, and so is one that
 * joins later, because the positions are kept.
 */
export function placeRings(computers: readonly RingCandidate[], rules: readonly RingRule[]): PlacedRing[] {
  let free = computers.toSorted((a, b) => a.position - b.position || a.computerId - b.computerId)
  return rules.map((rule) => {
    const ring = { rule, positionsBelow: findUpperPosition(free, rule, computers.length) }
    free = free.filter((computer) => !belongsTo(computer, ring))
    return ring
  })
}

function findUpperPosition(free: readonly RingCandidate[], rule: RingRule, total: number): number | null {
  if (rule.kind === 'Group' || rule.kind === 'Rest') return null
  const size = rule.kind === 'Count' ? rule.size : Math.max(1, Math.round((total * rule.size) / 100))
  return free[size]?.position ?? allPositions
}

/** The index of the ring of a computer; -1 if it is in none. */
export function findRing(computer: RingCandidate, rings: readonly PlacedRing[]): number {
  return rings.findIndex((ring) => belongsTo(computer, ring))
}

function belongsTo({ position, groupIds }: RingCandidate, { rule, positionsBelow }: PlacedRing): boolean {
  if (rule.kind === 'Group') return groupIds.includes(rule.groupId)
  return positionsBelow === null || position < positionsBelow
}
