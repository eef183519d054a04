/** A message of an agent cannot be read. The error message gives the reason without any of the content. */
export class UnreadableError extends Error {
  override name = 'UnreadableError'
}
