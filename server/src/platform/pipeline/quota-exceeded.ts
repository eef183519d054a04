/** Thrown to undo a change that exceeds the quota. The request is then stored for approval. */
export class QuotaExceeded extends Error {
  readonly computerCount: number
  readonly quota: number
  readonly used: number
  /** What the computers would have got, as the operation declares it. */
  content: readonly string[] | null = null

  constructor(computerCount: number, quota: number, used: number) {
    super('The destructive action exceeds the quota.')
    this.computerCount = computerCount
    this.quota = quota
    this.used = used
  }
}
