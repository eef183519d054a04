/** An error that the person who signs can fix. The message is a sentence. */
export class SigningError extends Error {
  override name = 'SigningError'
}
