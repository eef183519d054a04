/** Receives the progress of a backup or a restore. */
export type Progress = {
  step(name: string): void
  bytes(count: number): void
  /** Ends the step. The number of rows is passed for tables. */
  done(rows?: number): void
}
