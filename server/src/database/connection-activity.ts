import pg from 'pg'

/** When the connections of this process sent statements and got answers. All lanes share it: they use the same server. */
export type ConnectionActivity = {
  /** The number of statements sent so far, including those that begin and end transactions. */
  statementCount: number
  /** The number of statements and connections that are awaited. */
  awaited: number
  /** When the last answer arrived, or when the first one was awaited after a pause. */
  progressAt: number
  /** Whether nothing was answered since a statement or a connection failed. A pause in this state does not count. */
  isUnanswered: boolean
  /** The last time a connection did not answer in time. Connections that have not answered since may be silent, too. */
  silenceAt: number
}

/** Times are those of `performance.now()`. */
export function newConnectionActivity(): ConnectionActivity {
  return { statementCount: 0, awaited: 0, progressAt: 0, isUnanswered: false, silenceAt: Number.NEGATIVE_INFINITY }
}

/** Counts the statement, and as awaited until it is answered. */
export function trackStatement<T>(activity: ConnectionActivity, send: () => Promise<T>): Promise<T> {
  activity.statementCount++
  return trackWait(activity, send)
}

/** Counts a connection or a statement as awaited. */
export async function trackWait<T>(activity: ConnectionActivity, begin: () => Promise<T>): Promise<T> {
  if (activity.awaited === 0 && !activity.isUnanswered) activity.progressAt = performance.now()
  activity.awaited++
  try {
    return await begin()
  } catch (error) {
    if (!(error instanceof pg.DatabaseError)) activity.isUnanswered = true
    throw error
  } finally {
    activity.awaited--
  }
}

export function recordAnswer(activity: ConnectionActivity): void {
  activity.progressAt = performance.now()
  activity.isUnanswered = false
}

/** For how many milliseconds answers have been awaited without a single one. */
export function millisecondsWithoutAnswer({ awaited, isUnanswered, progressAt }: ConnectionActivity): number {
  return awaited > 0 || isUnanswered ? performance.now() - progressAt : 0
}
