/** Something the person in front of it can mend: it is told in a sentence, without a stack. */
export class ExpectedError extends Error {
  override name = 'ExpectedError'
}

/** The sentence of whatever was thrown. */
export function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const cause = error.cause instanceof Error ? messageOf(error.cause) : undefined
  return cause && !error.message.includes(cause) ? `${error.message}: ${cause}` : error.message
}

export function codeOf(error: unknown): string | undefined {
  const code = (error as { code?: unknown } | null)?.code
  return typeof code === 'string' ? code : undefined
}
