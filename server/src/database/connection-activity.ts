/** When the connections of this process sent statements and got answers. All lanes share it: they use the same server. */
export type ConnectionActivity = {
  /** The number of statements sent so far, including those that begin and end transactions. */
  statementCount: number
  /** The number of statements whose answer is awaited. */
  inFlight: number
  /** When the last answer arrived, or when the first of the awaited statements was sent after a pause. */
  progressAt: number
  /** The last time a connection did not answer in time. Connections that have not answered since may be silent, too. */
  silenceAt: number
}

/** Times are those of `performance.now()`. */
export function newConnectionActivity(): ConnectionActivity {
  return { statementCount: 0, inFlight: 0, progressAt: 0, silenceAt: Number.NEGATIVE_INFINITY }
}

/** Counts the statement, and as awaited until it is answered. */
export async function trackStatement<T>(activity: ConnectionActivity, send: () => Promise<T>): Promise<T> {
  if (activity.inFlight === 0) activity.progressAt = performance.now()
  activity.statementCount++
  activity.inFlight++
  try {
    return await send()
  } finally {
    activity.inFlight--
  }
}

/** For how many milliseconds statements have been awaited without a single answer. */
export function millisecondsWithoutAnswer({ inFlight, progressAt }: ConnectionActivity): number {
  return inFlight === 0 ? 0 : performance.now() - progressAt
}
