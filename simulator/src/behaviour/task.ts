import type { WorkItem, WorkResult } from '../protocol.ts'

/** A result that the server has not accepted yet. It survives a restart, as in the journal of a real agent. */
export type UnreportedResult = {
  workId: number
  result: WorkResult
  /** The computer restarts after the report and is down for this long. */
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
}

/** The work that a computer has leased. */
export type Task = { items: WorkItem[]; current?: Attempt; unreported?: UnreportedResult }
