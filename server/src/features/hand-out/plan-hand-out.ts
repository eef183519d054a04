import { isLostTooOften } from '../deployments/abandon-work.ts'
import { type AgentFacts, type Blocker, blockersOf } from './blockers.ts'
import { nextInExecutionOrder } from './execution-order.ts'
import { isToWithdraw } from './unmet-work.ts'
import type { WorkCandidate } from './work-candidates.ts'
import { hasWindowEnded, windowOf } from './work-window.ts'

export type NextWindow = { id: number; start: Date | 'infinity'; end: Date | null }

/** What a contact does with the candidates of one agent. */
export type HandOut = {
  leased: WorkCandidate[]
  /** Optional packages that the user may request. */
  offered: WorkCandidate[]
  /** Items that were lost too often. They fail. */
  abandoned: WorkCandidate[]
  /** Items that are not for their computer any more. They are cancelled. */
  withdrawn: WorkCandidate[]
  /** New windows of items whose window has ended. */
  windows: NextWindow[]
  /** Items that nothing but the maintenance windows of their rollout delays. */
  delays: { id: number; until: Date }[]
}

/** What is required comes once the user requests the package. */
function isOnlyOffered(blockers: readonly Blocker[]): boolean {
  const reasons = blockers.map(({ reason }) => reason)
  return (
    reasons.includes('NotRequested') &&
    reasons.every((reason) => reason === 'NotRequested' || reason === 'RequirementMissing')
  )
}

/** Decides what one agent gets, without a side effect. */
export function planHandOut(candidates: readonly WorkCandidate[], agent: AgentFacts, mayRefuse: boolean): HandOut {
  const abandoned = candidates.filter(isLostTooOften)
  // The computer has restarted since: the request of its policy is withdrawn soon.
  const due = candidates.filter((item) => !isLostTooOften(item) && !item.is_needless_restart)
  const examined = due.map((item) => ({ item, blockers: blockersOf(item, agent) }))
  const ready = examined.filter(({ blockers }) => blockers.length === 0).map(({ item }) => item)
  const offered = examined.filter(({ blockers }) => isOnlyOffered(blockers)).map(({ item }) => item)
  const windows = due
    // A fix package gets its window when it has something to do.
    .filter((item) => hasWindowEnded(item, item.now) && item.has_patches !== false)
    .map((item) => ({ id: item.id, ...(windowOf(item, item.now) ?? { start: 'infinity' as const, end: null }) }))
  const delays = examined.flatMap(({ item: { id }, blockers: [blocker, ...others] }) =>
    blocker?.reason === 'RolloutWindow' && blocker.until && others.length === 0 ? [{ id, until: blocker.until }] : [],
  )
  const leased = nextInExecutionOrder(ready, mayRefuse)
  const withdrawn = due.filter(isToWithdraw)
  return { leased, offered, abandoned, withdrawn, windows, delays }
}
