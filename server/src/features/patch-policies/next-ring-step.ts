import type { AutomaticPatchPause } from '../patches/policies/patch-pauses.ts'
import { countRingComputers, noRingComputers, type PatchRing } from '../patches/policies/patch-rings.ts'
import { completeCriteria } from '../rollouts/criteria.ts'
import { areCriteriaMet, maxFailing, type RingCounts } from '../rollouts/next-step.ts'
import type { CountedRing } from './count-rings.ts'

/** What is known about a patch of a policy with rings. */
export type PatchRingFacts = {
  rings: readonly PatchRing[]
  now: Date
  approvedAt: Date
  /** 0: none. */
  openRing: number
  openedAt: Date | null
  metAt: Date | null
  resumedAt: Date | null
  /** Rings without computers have none. */
  counts: readonly CountedRing[]
}

/** What happens next with a patch that is neither paused nor stopped. Every kind except `Wait` changes something at once. */
export type PatchRingStep =
  | { kind: 'Pause'; pause: AutomaticPatchPause }
  | { kind: 'OpenRing'; ring: number }
  | { kind: 'RecordMet' | 'RecordNotMet' | 'Complete' | 'Wait' }

const hour = 3_600_000
const day = 24 * hour

/** A ring that no computer needs is met after this time: its computers may not have reported the patch yet. */
const minEmptyTime = day

/** Decides what happens next with a patch. It depends on nothing but the facts. */
export function nextRingStep(facts: PatchRingFacts): PatchRingStep {
  const { rings, now, openRing, openedAt, metAt, approvedAt, counts } = facts
  const isWaitOver = (since: Date, afterDays = 0) => since.getTime() + afterDays * day <= now.getTime()
  if (openRing === 0 || !openedAt) {
    // A patch begins when a computer of the policy lacks it.
    const isNeeded = counts.some(({ lacking }) => lacking > 0)
    return isNeeded && isWaitOver(approvedAt, rings[0]?.afterDays) ? { kind: 'OpenRing', ring: 1 } : { kind: 'Wait' }
  }
  if (counts.length === 0) return { kind: 'Wait' }
  const pause = findPause(facts)
  if (pause) return { kind: 'Pause', pause }
  if (!isGateMet(facts)) return { kind: metAt ? 'RecordNotMet' : 'Wait' }
  const next = rings[openRing]
  if (!next) return { kind: 'Complete' }
  if (isWaitOver(metAt ?? now, next.afterDays)) return { kind: 'OpenRing', ring: openRing + 1 }
  return { kind: metAt ? 'Wait' : 'RecordMet' }
}

function isGateMet({ rings, now, openRing, openedAt, counts }: PatchRingFacts): boolean {
  const gate = rings[openRing - 1]?.gate
  const counted = counts.find(({ ring }) => ring === openRing)
  if (!gate || !openedAt) return false
  if (!counted || countRingComputers(counted) === 0) return openedAt.getTime() + minEmptyTime <= now.getTime()
  const criteria = {
    ...completeCriteria({}),
    minSuccessPercent: gate.minInstalledPercent,
    minResults: gate.minComputers,
  }
  return areCriteriaMet(criteria, toRingCounts(counted))
}

/** The words of rollouts: what a ring of a rollout has succeeded in, a ring of a policy has installed. */
function toRingCounts({ installed, lacking, failed, failing, away }: CountedRing): RingCounts {
  const none = { unreleased: 0, retrying: 0, cancelled: 0, nothingDue: 0, failingRetried: 0 }
  return { ...none, total: installed + lacking, pending: lacking - failed, succeeded: installed, failed, failing, away }
}

function findPause(facts: PatchRingFacts): AutomaticPatchPause | undefined {
  return findFailures(facts) ?? findRegressions(facts)
}

function findFailures({ rings, openRing, counts, resumedAt }: PatchRingFacts): AutomaticPatchPause | undefined {
  for (const counted of counts) {
    const gate = rings[counted.ring - 1]?.gate
    if (!gate || counted.ring > openRing) continue
    const limit = maxFailing(gate.maxFailedPercent, toRingCounts(counted))
    if (counted.failing > limit)
      return {
        code: 'Failures',
        ring: counted.ring,
        computers: counted.failing,
        total: counted.installed + counted.lacking,
        limit,
        sinceUtc: resumedAt?.toISOString() ?? null,
      }
  }
  return undefined
}

/**
 * Computers are switched off and deployments fail without any patch. Twice the share of that among the computers without the patch is
 * no regression; the gate allows for failures on top of it.
 */
const usualFactor = 2

function findRegressions({ rings, openRing, counts, resumedAt }: PatchRingFacts): AutomaticPatchPause | undefined {
  const gate = rings[openRing - 1]?.gate
  if (!gate) return undefined
  const sum = (pick: (counted: CountedRing) => number) => counts.reduce((total, counted) => total + pick(counted), 0)
  const total = sum(({ patched }) => patched)
  const others = sum((counted) => counted.others)
  const open = counts.filter(({ ring }) => ring <= openRing).map(toRingCounts)
  const allowed = maxFailing(gate.maxFailedPercent, open.reduce(addCounts, toRingCounts({ ...noCounts, ring: 0 })))
  const limitFor = (usual: number) => allowed + (others > 0 ? Math.floor((usualFactor * total * usual) / others) : 0)
  const found = [
    {
      code: 'SilentAgents' as const,
      computers: sum(({ silent }) => silent),
      limit: limitFor(sum((one) => one.silentOthers)),
    },
    {
      code: 'FailedDeployments' as const,
      computers: sum(({ troubled }) => troubled),
      limit: limitFor(sum((one) => one.troubledOthers)),
    },
  ].find(({ computers, limit }) => computers > limit)
  return found && { ...found, ring: null, total, sinceUtc: resumedAt?.toISOString() ?? null }
}

const noCounts = {
  ...noRingComputers,
  failing: 0,
  patched: 0,
  silent: 0,
  troubled: 0,
  silentOthers: 0,
  troubledOthers: 0,
  others: 0,
}

const addCounts = (one: RingCounts, other: RingCounts): RingCounts => ({
  ...one,
  total: one.total + other.total,
  pending: one.pending + other.pending,
  succeeded: one.succeeded + other.succeeded,
  failed: one.failed + other.failed,
})
