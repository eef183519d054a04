import type { Criteria } from './criteria.ts'

/** Computers of a ring by what became of them. */
export type RingCounts = {
  total: number
  /** Not released yet, or waiting for a retry. */
  unreleased: number
  pending: number
  retrying: number
  succeeded: number
  failed: number
  cancelled: number
  nothingDue: number
  /** Those of `pending` that were not seen since their release, which is longer ago than the criteria allow for. */
  away: number
  /** Computers that failed at least once since the rollout was last resumed, and have not succeeded since. */
  failing: number
  /** Those of `failing` that will be retried. */
  failingRetried: number
}

export type RingFacts = {
  ring: number
  state: 'Waiting' | 'Open' | 'Done'
  counts: RingCounts
  criteriaMetAt: Date | null
  /** When the last computer is released; null if that does not depend on time. */
  releasedAt: Date | null
}

/** A cause that several computers share, with how many, and how many of them will be retried. */
export type SharedCause = { exitCode: number | null; error: string | null; computers: number; retried: number }

export type RolloutFacts = {
  criteria: Criteria
  now: Date
  rings: readonly RingFacts[]
  /** Computers since the rollout was last resumed. */
  silent: number
  bootFailed: number
  sharedCause: SharedCause | null
  catchUpDays: number
  catchUpUntil: Date | null
  /** Null: never. */
  resumedAt: Date | null
  /** The rings after this one wait for other rollouts of the same upgrade; null: none does. */
  lastSharedRing: number | null
  isWave: boolean
  /** For a wave with more computers than expected: how many were. */
  expectedComputers: number | null
}

export const automaticPauses = [
  'Failures',
  'SharedCause',
  'SilentAgents',
  'BootFailures',
  'MoreThanExpected',
  'Removals',
] as const

/** Why a rollout pauses itself. `computers` and `limit` are numbers of computers at that moment. */
export type AutomaticPause = {
  code: (typeof automaticPauses)[number]
  ring: number | null
  computers: number
  /** Those of `computers` that failed and will be retried; null if the pause is not about failed work. */
  retried: number | null
  limit: number
  /** The period in which the limit counts computers; null: since the rollout began or was resumed. Earlier versions had none. */
  withinHours?: number | null
  exitCode: number | null
  error: string | null
  /** Null for a pause of an earlier version of the service. */
  atUtc: string | null
  /** The last resume, after which the computers are counted; null: never. */
  sinceUtc: string | null
}

export const waitCodes = ['Releasing', 'Results', 'Soaking', 'OtherGroups', 'CatchUp'] as const

/** What a rollout does next. Every kind except `Wait` changes something at once. */
export type RolloutStep =
  | { kind: 'Pause'; pause: AutomaticPause }
  | { kind: 'OpenRing' | 'FinishRing' | 'StartSoak' | 'RestartSoak'; ring: number }
  | { kind: 'StartCatchUp' | 'Complete' }
  | { kind: 'Wait'; code: (typeof waitCodes)[number]; ring: number | null; until: Date | null }

/** Decides what a running rollout does next. It depends on nothing but the facts. */
export function nextStep(facts: RolloutFacts): RolloutStep {
  const pause = findPause(facts)
  if (pause) return { kind: 'Pause', pause }
  const open = facts.rings.find(({ state }) => state === 'Open')
  if (open) return stepOfOpenRing(facts, open)
  const next = facts.rings.find(({ state }) => state === 'Waiting')
  if (next) {
    const review = findReview(facts, next)
    if (!review && facts.lastSharedRing !== null && next.ring > facts.lastSharedRing)
      return { kind: 'Wait', code: 'OtherGroups', ring: next.ring, until: null }
    return review ? { kind: 'Pause', pause: review } : { kind: 'OpenRing', ring: next.ring }
  }
  if (!facts.catchUpUntil) return facts.catchUpDays > 0 ? { kind: 'StartCatchUp' } : { kind: 'Complete' }
  if (facts.catchUpUntil <= facts.now) return { kind: 'Complete' }
  return { kind: 'Wait', code: 'CatchUp', ring: null, until: facts.catchUpUntil }
}

/** A wave with more computers than expected goes on to its second ring only if a person has looked at it. */
function findReview(facts: RolloutFacts, { ring }: RingFacts): AutomaticPause | undefined {
  const { expectedComputers, resumedAt, rings } = facts
  if (expectedComputers === null || resumedAt || ring === 1) return undefined
  const computers = rings.reduce((total, { counts }) => total + counts.total, 0)
  return {
    ...noDetails(facts),
    code: 'MoreThanExpected',
    ring: ring - 1,
    computers,
    limit: expectedComputers,
    withinHours: 24,
  }
}

function stepOfOpenRing(facts: RolloutFacts, open: RingFacts): RolloutStep {
  const { criteria, now } = facts
  const { ring, counts, criteriaMetAt, releasedAt } = open
  if (counts.unreleased > 0) return { kind: 'Wait', code: 'Releasing', ring, until: releasedAt }
  if (isEndOfWave(facts, open)) return { kind: 'FinishRing', ring }
  if (!areCriteriaMet(criteria, counts)) {
    if (criteriaMetAt) return { kind: 'RestartSoak', ring }
    return { kind: 'Wait', code: 'Results', ring, until: null }
  }
  if (criteria.soakMinutes === 0) return { kind: 'FinishRing', ring }
  if (!criteriaMetAt) return { kind: 'StartSoak', ring }
  const soakedAt = new Date(criteriaMetAt.getTime() + criteria.soakMinutes * 60_000)
  return soakedAt <= now ? { kind: 'FinishRing', ring } : { kind: 'Wait', code: 'Soaking', ring, until: soakedAt }
}

/**
 * Whether a wave waits for nothing but computers that are away: no ring with computers follows, and all others have their
 * result. There is a wave for each change, so none stays open until the last computer is switched on.
 */
function isEndOfWave({ isWave, rings }: RolloutFacts, { ring, counts }: RingFacts): boolean {
  const isLast = rings.every((other) => other.ring <= ring || other.counts.total === 0)
  return isWave && isLast && counts.retrying === 0 && counts.pending <= counts.away
}

/** How many computers of the ring have work that counts. */
export function countDue({ pending, retrying, succeeded, failed }: RingCounts): number {
  return pending + retrying + succeeded + failed
}

/** Whether the results of a ring allow the next one. A ring in which nothing was due needs none. */
export function areCriteriaMet({ minSuccessPercent, minResults }: Criteria, counts: RingCounts): boolean {
  const due = countDue(counts)
  if (due === 0) return true
  const results = counts.succeeded + counts.failed
  return (
    results >= Math.min(minResults, due) && counts.succeeded * 100 >= minSuccessPercent * Math.max(due - counts.away, 1)
  )
}

/** In a smaller sample, a single failure would be a large share. */
const minSample = 20

/** How many computers of the ring may fail: a share of those with work, or of the first twenty while there are fewer. */
export function maxFailing(maxFailurePercent: number, counts: RingCounts): number {
  const sample = Math.max(countDue(counts), Math.min(minSample, counts.total - counts.nothingDue - counts.cancelled))
  return Math.floor((sample * maxFailurePercent) / 100)
}

const noDetails = ({ now, resumedAt }: RolloutFacts) => ({
  ...{ ring: null, retried: null, exitCode: null, error: null },
  atUtc: now.toISOString(),
  sinceUtc: resumedAt?.toISOString() ?? null,
})

/** A wave is as small as the change that began it. If all its computers have begun, a pause would protect none of them. */
const protectsNobody = ({ isWave, rings }: RolloutFacts) =>
  isWave && rings.every(({ counts }) => counts.unreleased + counts.pending === 0)

function findPause(facts: RolloutFacts): AutomaticPause | undefined {
  if (protectsNobody(facts)) return undefined
  const { criteria, sharedCause, silent, bootFailed } = facts
  const { maxFailurePercent, sharedCauseComputers, silentComputers, bootFailures } = criteria
  const nothing = noDetails(facts)
  const reaches = (computers: number, limit: number | null): limit is number => limit !== null && computers >= limit
  if (reaches(bootFailed, bootFailures))
    return { ...nothing, code: 'BootFailures', computers: bootFailed, limit: bootFailures }
  if (reaches(silent, silentComputers))
    return { ...nothing, code: 'SilentAgents', computers: silent, limit: silentComputers }
  if (sharedCause && reaches(sharedCause.computers, sharedCauseComputers))
    return { ...nothing, ...sharedCause, code: 'SharedCause', limit: sharedCauseComputers }
  if (maxFailurePercent === null) return undefined
  const failing = facts.rings.find(
    ({ state, counts }) => state !== 'Waiting' && counts.failing > maxFailing(maxFailurePercent, counts),
  )
  if (!failing) return undefined
  const { ring, counts } = failing
  const limit = maxFailing(maxFailurePercent, counts)
  return { ...nothing, code: 'Failures', ring, computers: counts.failing, retried: counts.failingRetried, limit }
}
