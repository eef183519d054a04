export type EmbeddedPostgresProblem =
  | 'binaries-unusable'
  | 'data-directory-in-use'
  | 'data-directory-unusable'
  | 'initdb-failed'
  | 'other-major-version'
  | 'start-failed'

/** The message is written for the operator. Print it without the stack. */
export class EmbeddedPostgresError extends Error {
  readonly code: EmbeddedPostgresProblem

  constructor(code: EmbeddedPostgresProblem, message: string) {
    super(message)
    this.name = 'EmbeddedPostgresError'
    this.code = code
  }
}
