/** The quota that a change exceeds. */
export type ExceededQuota = {
  quota: number
  /** How much of it the caller has used within the last hour; null if it is not the hourly quota of a caller. */
  used: number | null
  /** What is exceeded, as a sentence. */
  text: string
}

/** Thrown to undo a change that exceeds a quota. The request is then stored for approval. */
export class QuotaExceeded extends Error {
  readonly computerCount: number
  readonly exceeded: ExceededQuota
  /** What the computers would have got, as the operation declares it. */
  content: readonly string[] | null = null

  constructor(computerCount: number, exceeded: ExceededQuota) {
    super(exceeded.text)
    this.computerCount = computerCount
    this.exceeded = exceeded
  }
}
