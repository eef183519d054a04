import type { Agent } from '../agent.ts'
import { recordChoice } from '../deadlines/choices.ts'
import { log } from '../log.ts'
import type { WorkItem } from '../protocol.ts'
import { isLeaseLost, Refused } from '../server-client.ts'
import { findPostponement } from '../state/postponement.ts'
import { listChoices, removeChoices, storeWarning } from '../state/warnings.ts'
import { askBeforeWork } from './ask-user.ts'

/** Whether a user may postpone the work item at this time. */
export function canPostpone({ postponable: { remaining, untilUtc } }: WorkItem, now = new Date()): boolean {
  return remaining > 0 && (untilUtc === null || new Date(untilUtc) > now)
}

/** Asks the user before work that may be postponed, and postpones it if that is requested. Returns whether it did. */
export async function postponeIfRequested(agent: Agent, item: WorkItem): Promise<boolean> {
  if (!canPostpone(item)) return false
  if (item.package && !(await findPostponement(agent.state))) await askBeforeWork(agent)
  return postponeAsRequested(agent, item)
}

/** Postpones the work if a user of this computer has asked for it and the work allows it. Returns whether it did. */
export async function postponeAsRequested(agent: Agent, item: WorkItem): Promise<boolean> {
  const { state, client } = agent
  const { workId, attempt, postponable } = item
  const requested = await findPostponement(state)
  if (!requested || !canPostpone(item)) return false
  const latest = postponable.untilUtc === null ? requested.until : new Date(postponable.untilUtc)
  const until = new Date(Math.min(requested.until.getTime(), latest.getTime()))
  const untilUtc = until.toISOString()
  if (item.userDeadline) await recordChoice(agent, workId, 'Later', { user: requested.user })
  // Only a server that knows deadlines knows the choices.
  const workChoices = item.userDeadline && (await listChoices(state, workId))
  try {
    const { remaining } = await client.postpone(workId, { attempt, untilUtc, ...(workChoices && { workChoices }) })
    if (item.userDeadline) {
      await removeChoices(state, workId)
      await storeWarning(state, item, { reason: 'Later', untilUtc, remaining })
    }
    log(`Work ${workId} is postponed until ${untilUtc}; ${remaining} more postponements are possible.`)
    return true
  } catch (error) {
    if (isLeaseLost(error)) return true
    if (error instanceof Refused) return false
    throw error
  }
}
