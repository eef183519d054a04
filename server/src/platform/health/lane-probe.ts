import type pg from 'pg'
import type { Lane } from '../../database/connect.ts'
import { isConnectionLost } from '../../database/errors.ts'

/** Below the deadlines of all lanes: a silent connection is noticed here before requests wait that long for it. */
const answerTimeoutMs = 2_000
const repetitionMs = 1_000
const defaultDeadlineMs = 4_000

/**
 * Sends a statement through the lane, as a request does, and waits for its turn like one. It is repeated on another
 * connection each second: one that is silent or broken is replaced, and is not a fault of the lane. Throws if the lane
 * does not answer before the deadline, or if the database refuses the statement.
 */
export function probeLane(lane: Lane, text: string, deadlineMs = defaultDeadlineMs): Promise<pg.QueryResult> {
  const { promise, resolve, reject } = Promise.withResolvers<pg.QueryResult>()
  const attempt = () => {
    lane.query({ text, query_timeout: answerTimeoutMs }).then(resolve, (error: unknown) => {
      if (!isConnectionLost(error)) reject(error)
    })
  }
  attempt()
  const repetition = setInterval(attempt, repetitionMs).unref()
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
