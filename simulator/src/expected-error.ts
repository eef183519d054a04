/** Something that the user can mend: told in a sentence, without a stack. */
export class ExpectedError extends Error {
  override name = 'ExpectedError'
}
