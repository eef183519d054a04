/** The message is written for the operator. Print it without the stack. */
export class BackupError extends Error {
  override name = 'BackupError'
}
