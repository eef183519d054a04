/** What an agent sent cannot be read; the message says why, without any of the content. */
export class Unreadable extends Error {
  override name = 'Unreadable'
}
