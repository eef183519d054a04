import type { ContactAnswer, StartedWork, WorkItem } from '../protocol.ts'

/** A work item that is leased to this process. */
export type LeasedItem = WorkItem & {
  /** The content that came with the contact. The item then needs no request to start it. */
  started?: StartedWork
  /** A power action begins by this time of the clock, in milliseconds, or not at all. */
  beginBy?: number
}

/** What the last contact allows. */
export type ContactTerms = {
  /** The time, by `performance.now()`, until which work may begin with content that came with a contact. */
  mayBeginUntil: number
  /** Whether the server accepts results as part of contacts. */
  takesResults: boolean
  /** Whether results did not fit into the contact. */
  hasMoreResults: boolean
  /** Whether the server announces content at the next contact. */
  hasUpcoming: boolean
  /** Until this time, the agent makes contacts in the form that servers of all versions know. */
  plainUntil: number
}

/** `sentAt` is the time of the clock before the request: the computer may have been asleep since. */
export function toLeasedItems({ work, environment }: ContactAnswer, sentAt: number): LeasedItem[] {
  return work.map(({ content, ...workItem }) => {
    const { withinSeconds } = workItem.power ?? {}
    const item = { ...workItem, ...(withinSeconds !== undefined && { beginBy: sentAt + withinSeconds * 1_000 }) }
    if (!content || !environment) return item
    const { leaseSeconds } = item
    return { ...item, started: { leaseSeconds, ...content, ...environment, patches: [], secrets: {} } }
  })
}

/** Far more than a server hands out to one computer. */
export const maxLeasedItems = 10_000

/**
 * Adds the items of an answer, which come first and replace earlier ones with their ids. Whatever a server hands out, the agent
 * keeps the content of one answer only: the other items are then started by requests.
 */
export function addLeasedItems(leasedItems: LeasedItem[], added: readonly LeasedItem[]): void {
  if (added.length === 0) return
  const items = new Map(added.map((item) => [item.workId, item]))
  for (const { started: _, ...item } of leasedItems) if (!items.has(item.workId)) items.set(item.workId, item)
  leasedItems.splice(0, leasedItems.length, ...[...items.values()].slice(0, maxLeasedItems))
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
