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

/** Counts a connection or a statement as awaited until `endWait`. */
export function beginWait(activity: ConnectionActivity): void {
  if (activity.awaited === 0 && !activity.isUnanswered) activity.progressAt = performance.now()
  activity.awaited++
}

export function endWait(activity: ConnectionActivity): void {
  activity.awaited--
}

export function recordFailedWait(activity: ConnectionActivity, error: unknown): void {
  if (!(error instanceof pg.DatabaseError)) activity.isUnanswered = true
}

export function recordAnswer(activity: ConnectionActivity): void {
  activity.progressAt = performance.now()
  activity.isUnanswered = false
}

/** For how many milliseconds answers have been awaited without a single one. */
export function millisecondsWithoutAnswer({ awaited, isUnanswered, progressAt }: ConnectionActivity): number {
  return awaited > 0 || isUnanswered ? performance.now() - progressAt : 0
}
