import type { ContactAnswer, StartedWork, WorkOrder } from '../protocol.ts'

/** A work item that is leased to this process. */
export type LeasedOrder = WorkOrder & {
  /** What the contact has brought of it, so that it need not be started by a request. */
  started?: StartedWork
}

/** What the last contact allows. */
export type ContactTerms = {
  /** The time, by `performance.now()`, until which work may begin with what a contact has brought. */
  mayBeginUntil: number
  /** Whether the server accepts results as part of contacts. */
  takesResults: boolean
  /** Whether results did not fit into the contact. */
  hasMoreResults: boolean
  /** The time until which the agent makes contacts as servers of all versions know them. */
  plainUntil: number
}

export function toLeasedOrders({ work, environment }: ContactAnswer): LeasedOrder[] {
  return work.map(({ content, ...order }) => {
    if (!content || !environment) return order
    const { leaseSeconds } = order
    return { ...order, started: { leaseSeconds, ...content, ...environment, patches: [], secrets: {} } }
  })
}

/** Counted from before the request: the server has decided later than that. */
export function toContactTerms(
  { beginWithinSeconds }: ContactAnswer,
  sentAt: number,
): Pick<ContactTerms, 'mayBeginUntil' | 'takesResults'> {
  return {
    mayBeginUntil: sentAt + (beginWithinSeconds ?? 0) * 1000,
    takesResults: beginWithinSeconds !== undefined,
  }
}
