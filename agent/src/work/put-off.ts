import type { Agent } from '../agent.ts'
import { log } from '../log.ts'
import type { WorkOrder } from '../protocol.ts'
import { isNotHeld, Refused } from '../server-client.ts'
import { currentPostponement } from '../state/postponement.ts'

/** Puts the work off, if somebody at this computer asked for that and the work allows it. */
export async function putOff({ state, client }: Agent, order: WorkOrder): Promise<boolean> {
  const { workId, attempt, postponable } = order
  const wanted = await currentPostponement(state)
  if (!wanted || postponable.remaining < 1) return false
  const latest = postponable.untilUtc === null ? wanted : new Date(postponable.untilUtc)
  const until = new Date(Math.min(wanted.getTime(), latest.getTime()))
  if (until <= new Date()) return false
  try {
    const { remaining } = await client.postpone(workId, { attempt, untilUtc: until.toISOString() })
    log(`Work ${workId} is put off until ${until.toISOString()}; ${remaining} more times are possible.`)
    return true
  } catch (error) {
    if (isNotHeld(error)) return true
    if (error instanceof Refused) return false
    throw error
  }
}
