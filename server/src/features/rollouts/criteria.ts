/** When a rollout continues with the next ring by itself, and when it pauses itself. */
export type Criteria = {
  /** Of the computers of a ring that got work, this share has to succeed. */
  minSuccessPercent: number
  /** A ring needs this many results, or one from each of its computers if it has fewer. */
  minResults: number
  /** How long the results have to stay good before the next ring opens. */
  soakMinutes: number
  /** A computer that has not been seen since its release no longer counts after this time. */
  awayHours: number
  /** Null: failures alone do not pause the rollout. */
  maxFailurePercent: number | null
  /** This many computers that fail with the same exit code or the same error pause the rollout; null: never. */
  sharedCauseComputers: number | null
  /** This many agents that fall silent after they got work pause the rollout; null: never. */
  silentComputers: number | null
  silentAfterMinutes: number
  /** This many computers that do not come back from a restart, or restart again and again, pause it; null: never. */
  bootFailures: number | null
  bootTimeoutMinutes: number
}

type GivenCriteria = { [Name in keyof Criteria]?: Criteria[Name] }

/** Failures pause the rollout as soon as the success that it needs cannot be reached, unless another limit is given. */
export function completeCriteria(given: GivenCriteria): Criteria {
  const minSuccessPercent = given.minSuccessPercent ?? 95
  return {
    minSuccessPercent,
    minResults: given.minResults ?? 1,
    soakMinutes: given.soakMinutes ?? 0,
    awayHours: given.awayHours ?? 24,
    maxFailurePercent: given.maxFailurePercent === undefined ? 100 - minSuccessPercent : given.maxFailurePercent,
    sharedCauseComputers: given.sharedCauseComputers === undefined ? 5 : given.sharedCauseComputers,
    silentComputers: given.silentComputers === undefined ? 5 : given.silentComputers,
    silentAfterMinutes: given.silentAfterMinutes ?? 1440,
    bootFailures: given.bootFailures === undefined ? 2 : given.bootFailures,
    bootTimeoutMinutes: given.bootTimeoutMinutes ?? 60,
  }
}
