/** An error that the user can fix. It is printed as a sentence, without a stack trace. */
export class ExpectedError extends Error {
  override name = 'ExpectedError'
}

/** The message of anything that was thrown, including its cause. */
export function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const cause = error.cause instanceof Error ? messageOf(error.cause) : undefined
  return cause && !error.message.includes(cause) ? `${error.message}: ${cause}` : error.message
}

export function codeOf(error: unknown): string | undefined {
  const code = (error as { code?: unknown } | null)?.code
  return typeof code === 'string' ? code : undefined
}
