/** The message is one for the operator: print it alone, the stack adds nothing. */
export class BackupError extends Error {
  override name = 'BackupError'
}
