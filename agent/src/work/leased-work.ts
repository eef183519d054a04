import type { ContactAnswer, StartedWork, WorkItem } from '../protocol.ts'

/** A work item that is leased to this process. */
export type LeasedItem = WorkItem & {
  /** The content that came with the contact. The item then needs no request to start it. */
  started?: StartedWork
}

/** What the last contact allows. */
export type ContactTerms = {
  /** The time, by `performance.now()`, until which work may begin with content that came with a contact. */
  mayBeginUntil: number
  /** Whether the server accepts results as part of contacts. */
  takesResults: boolean
  /** Whether results did not fit into the contact. */
  hasMoreResults: boolean
  /** Until this time, the agent makes contacts in the form that servers of all versions know. */
  plainUntil: number
}

export function toLeasedItems({ work, environment }: ContactAnswer): LeasedItem[] {
  return work.map(({ content, ...item }) => {
    if (!content || !environment) return item
    const { leaseSeconds } = item
    return { ...item, started: { leaseSeconds, ...content, ...environment, patches: [], secrets: {} } }
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
