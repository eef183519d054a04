import type { StartedWork, WorkItem, WorkResult } from '../protocol.ts'

/** A result that the server has not accepted yet. It survives a restart, as in the journal of a real agent. */
export type UnreportedResult = {
  workId: number
  result: WorkResult
  finishedAt: number
  /** The result is reported by a request of its own, after which the computer restarts and is down for this long. */
  restartSeconds?: number
}

export type Attempt = {
  item: WorkItem
  startedAt: number
  durationMs: number
  isHalfway: boolean
  isInterrupted: boolean
  /** Keys of the patches that a fix package installs. */
  patches: string[]
  /** Patches that a fix package rolls back. */
  rollbacks: NonNullable<StartedWork['rollbacks']>
  /** Whether the package replaces the agent itself. */
  isAgentUpdate: boolean
  /** Whether the server knows that the attempt has begun. */
  isStartKnown: boolean
}

/** The work that a computer has leased. */
export type Task = {
  items: WorkItem[]
  /** What all work with a content shares. */
  environment?: Pick<StartedWork, 'depots' | 'depotsAfterServer'>
  /** Until then, work with a content may begin without a request. */
  mayBeginUntil: number
  /** Whether results are parts of contacts. */
  bundlesResults: boolean
  current?: Attempt
  unreported: UnreportedResult[]
}
