/** Told how far a backup or a restore has come. */
export type Progress = {
  step(name: string): void
  bytes(count: number): void
  /** The step is done; the rows are known for tables. */
  done(rows?: number): void
}
