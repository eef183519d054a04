import type pg from 'pg'
import type { Lane } from '../../database/connect.ts'
import { isConnectionLost, isSilence } from '../../database/errors.ts'

/** Below the deadlines of all lanes: a silent connection is noticed here before requests wait that long for it. */
const answerTimeoutMs = 2_000
const repetitionMs = 1_000
/** How many connections may be broken without the database being down: it ended them, and others work. */
const maxBroken = 2
const defaultDeadlineMs = 4_000

/**
 * Sends a statement through the lane, as a request does, and waits for its turn like one. It is repeated on another
 * connection after each second without an answer: a connection that is silent or broken is replaced, and is not a fault
 * of the lane. Throws if the lane does not answer before the deadline, or if the database refuses.
 */
export function probeLane(lane: Lane, text: string, deadlineMs = defaultDeadlineMs): Promise<pg.QueryResult> {
  const { promise, resolve, reject } = Promise.withResolvers<pg.QueryResult>()
  const attempt = (spare: number) => {
    lane.query({ text, query_timeout: answerTimeoutMs, isProbe: true }).then(resolve, (error: unknown) => {
      // The repetition uses another connection.
      if (isSilence(error)) return
      if (isConnectionLost(error) && spare > 0) attempt(spare - 1)
      else reject(error)
    })
  }
  attempt(maxBroken)
  const repetition = setInterval(attempt, repetitionMs, maxBroken).unref()
  const deadline = setTimeout(() => reject(new LaneDeadline()), deadlineMs).unref()
  return promise.finally(() => {
    clearInterval(repetition)
    clearTimeout(deadline)
  })
}

/** The lane did not answer in time. Its connections are in use, silent, or cannot be opened. */
export class LaneDeadline extends Error {
  override name = 'LaneDeadline'
  override message = 'The statement was not answered in time.'
}
