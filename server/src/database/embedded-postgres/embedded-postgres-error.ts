export type EmbeddedPostgresProblem =
  | 'binaries-unusable'
  | 'data-directory-in-use'
  | 'data-directory-unusable'
  | 'initdb-failed'
  | 'other-major-version'
  | 'start-failed'

/** The message is meant for the operator: print it alone, the stack adds nothing. */
export class EmbeddedPostgresError extends Error {
  readonly code: EmbeddedPostgresProblem

  constructor(code: EmbeddedPostgresProblem, message: string) {
    super(message)
    this.name = 'EmbeddedPostgresError'
    this.code = code
  }
}
