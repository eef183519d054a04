import type { Agent } from '../agent.ts'
import { log } from '../log.ts'
import type { WorkOrder } from '../protocol.ts'
import { isLeaseLost, Refused } from '../server-client.ts'
import { findPostponement } from '../state/postponement.ts'

/** Postpones the work if a user of this computer has asked for it and the work allows it. Returns whether it did. */
export async function postponeIfRequested({ state, client }: Agent, order: WorkOrder): Promise<boolean> {
  const { workId, attempt, postponable } = order
  const requested = await findPostponement(state)
  if (!requested || postponable.remaining < 1) return false
  const latest = postponable.untilUtc === null ? requested : new Date(postponable.untilUtc)
  const until = new Date(Math.min(requested.getTime(), latest.getTime()))
  if (until <= new Date()) return false
  try {
    const { remaining } = await client.postpone(workId, { attempt, untilUtc: until.toISOString() })
    log(`Work ${workId} is postponed until ${until.toISOString()}; ${remaining} more postponements are possible.`)
    return true
  } catch (error) {
    if (isLeaseLost(error)) return true
    if (error instanceof Refused) return false
    throw error
  }
}
