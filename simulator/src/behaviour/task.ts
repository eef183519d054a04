import type { WorkOrder, WorkResult } from '../protocol.ts'

/** A result that the server does not know yet. It outlives a restart, as in the journal of a real agent. */
export type Untold = { workId: number; result: WorkResult; restartsFor?: number }

export type Attempt = {
  order: WorkOrder
  startedAt: number
  /** How long it takes. */
  lasts: number
  isHalfway: boolean
  isInterrupted: boolean
  /** What a fix has to install. */
  patches: string[]
}

/** What a computer has been handed. */
export type Task = { orders: WorkOrder[]; current?: Attempt; untold?: Untold }
