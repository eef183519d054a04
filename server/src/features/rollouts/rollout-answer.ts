import type { Static } from '../../platform/schema.ts'
import { toUserDeadline } from '../distribution/user-deadline.ts'
import type { RolloutDetails, RolloutSummary } from './api/schemas.ts'
import { describeNext } from './describe-next.ts'
import { toFacts } from './evaluate.ts'
import type { RingCounts } from './next-step.ts'
import { describePause, type Pause } from './pause.ts'
import { estimateEnds } from './plan.ts'
import type { Rollout, RolloutRing } from './rollout-record.ts'

/** A rollout in the shape of the API. */
export function toRolloutAnswer(rollout: Rollout, now = new Date()): Static<typeof RolloutDetails> {
  const ends = estimateEnds(rollout, now)
  const { rings } = toFacts(rollout, now)
  return {
    ...toSummary(rollout, now),
    emergency: rollout.isEmergency,
    criteria: rollout.criteria,
    timeZone: rollout.timeZone,
    deadlineUtc: rollout.deadlineAt,
    userDeadline: toUserDeadline(rollout.userDeadline),
    catchUpDays: rollout.catchUpDays,
    catchUpUntilUtc: rollout.catchUpUntil,
    pausedTimes: rollout.pausedTimes,
    version: rollout.version,
    rings: rollout.rings.map((ring, index) => ({
      ...toRingAnswer(ring),
      computers: rings[index]?.counts ?? expectCounts(),
      expectedEndUtc: ends[index] ?? now,
    })),
  }
}

function expectCounts(): never {
  throw new Error('A ring has no counts.')
}

function toRingAnswer(ring: RolloutRing) {
  const { rule } = ring
  return {
    ring: ring.ring,
    name: ring.name,
    size: {
      kind: rule.kind,
      size: 'size' in rule ? rule.size : null,
      groupId: rule.kind === 'Group' ? rule.groupId : null,
      groupPath: ring.groupPath,
      positionsBelow: ring.positionsBelow,
    },
    releaseMinutes: ring.releaseMinutes,
    windows: ring.windows.map((window) => ({ ...window, days: [...window.days] })),
    state: ring.state,
    openedAtUtc: ring.openedAt,
    criteriaMetAtUtc: ring.criteriaMetAt,
    doneAtUtc: ring.doneAt,
    plannedWorkItems: ring.plannedWork,
    plannedDownloadBytes: ring.plannedBytes,
  }
}

/** What lists show of a rollout. */
export function toSummary(rollout: Rollout, now: Date): Static<typeof RolloutSummary> {
  const { id, name, groupId, groupPath, packageId, packageName, state, createdBy } = rollout
  const { rings } = toFacts(rollout, now)
  const sum = (count: keyof RingCounts) => rings.reduce((total, { counts }) => total + counts[count], 0)
  const next = describeNext(rollout, now)
  return {
    rolloutId: id,
    name,
    groupId,
    groupPath,
    packageId,
    packageName,
    state,
    openRing: rollout.rings.find((ring) => ring.state === 'Open')?.ring ?? null,
    ringCount: rollout.rings.length,
    computerCount: sum('total'),
    releasedCount: sum('total') - sum('unreleased'),
    succeededCount: sum('succeeded'),
    failedCount: sum('failed'),
    retryingCount: sum('retrying'),
    cancelledCount: sum('cancelled'),
    nothingDueCount: sum('nothingDue'),
    isWave: rollout.isWave,
    upgradeId: rollout.upgradeId,
    rolledBackPackageId: rollout.rolledBackPackageId,
    expectedComputers: rollout.expectedComputers,
    pause: rollout.pause && toPauseAnswer(rollout.pause),
    next: next && { code: next.code, ring: next.ring, text: next.text, atUtc: next.at },
    createdBy,
    createdAtUtc: rollout.createdAt,
    evaluatedAtUtc: rollout.evaluatedAt,
    endedAtUtc: rollout.endedAt,
  }
}

function toPauseAnswer(pause: Pause) {
  const text = describePause(pause)
  const toTime = (utc: string | null) => (utc === null ? null : new Date(utc))
  if (pause.code === 'ByPrincipal') {
    const { code, by, reason, atUtc } = pause
    const noNumbers = {
      ring: null,
      computers: null,
      retried: null,
      limit: null,
      withinHours: null,
      exitCode: null,
      error: null,
    }
    return { code, text, by, reason, ...noNumbers, atUtc: toTime(atUtc), sinceUtc: null }
  }
  const { atUtc, sinceUtc, withinHours = null, ...found } = pause
  return { ...found, withinHours, text, by: null, reason: null, atUtc: toTime(atUtc), sinceUtc: toTime(sinceUtc) }
}
