import type { LeasableWorkKind } from '../work-states/work-states.ts'
import { fittingWindows, type TimedItem } from './rollout-facts.ts'

/** Leased at once to one agent. */
export const maxLeasedItems = 20

/** The order of execution, lower first. What an activation makes the computer do after its work comes last. */
const ranks: Record<LeasableWorkKind, number> = {
  // Before an installation: what is installed afterwards must not be uninstalled by the trial.
  Trial: 0,
  Uninstall: 0,
  Install: 1,
  Update: 1,
  Reinstall: 1,
  Refresh: 2,
  Power: 3,
}

type OrderedItem = TimedItem & {
  id: number
  kind: LeasableWorkKind
  /** Whether a reboot was requested, other than as the end of an activation. */
  is_requested_reboot: boolean
  /** Whether the agent still has other work. */
  has_other_lease: boolean
}

/** Why an item that nothing blocks is not leased at the next contact. */
export const orderReasons = ['RebootFirst', 'OtherWorkFirst', 'TooManyItems', 'NotEnoughWindow'] as const

export type OrderReason = (typeof orderReasons)[number]

/** Which of the items that nothing blocks are leased to an agent at once, in the order of execution. */
export function nextInExecutionOrder<Item extends OrderedItem>(ready: readonly Item[], mayRefuse: boolean): Item[] {
  return fittingWindows(firstInExecutionOrder(ready, mayRefuse))
}

/**
 * Power work is leased alone, and only if the agent has no other work. A requested reboot comes before what else is due,
 * unless the agent may be unable to reboot.
 */
function firstInExecutionOrder<Item extends OrderedItem>(ready: readonly Item[], mayRefuse: boolean): Item[] {
  const reboot = mayRefuse ? undefined : ready.find(({ is_requested_reboot }) => is_requested_reboot)
  if (reboot) return reboot.has_other_lease ? [] : [reboot]
  const sorted = ready.toSorted((a, b) => ranks[a.kind] - ranks[b.kind] || a.id - b.id)
  const others = sorted.filter(({ kind }) => kind !== 'Power')
  return (others.length > 0 ? others : sorted.filter(({ has_other_lease }) => !has_other_lease)).slice(
    0,
    maxLeasedItems,
  )
}

/** Why a ready item waits for other items; undefined if it is leased at the next contact. */
export function findOrderReason<Item extends OrderedItem>(
  item: Item,
  ready: readonly Item[],
  mayRefuse: boolean,
): OrderReason | undefined {
  const first = firstInExecutionOrder(ready, mayRefuse)
  if (first.includes(item)) return fittingWindows(first).includes(item) ? undefined : 'NotEnoughWindow'
  if (item.kind === 'Power') return 'OtherWorkFirst'
  const isRebootFirst = !mayRefuse && ready.some(({ is_requested_reboot }) => is_requested_reboot)
  return isRebootFirst ? 'RebootFirst' : 'TooManyItems'
}
