/** An error that the user can fix. It is printed as a sentence, without a stack trace. */
export class ExpectedError extends Error {
  override name = 'ExpectedError'
}
