import { isProblem } from '@muster/client'
import { visibleLine, visibleLines } from '@muster/text'
import { CommandFailure, UsageError } from './errors.ts'
import type { Terminal } from './terminal.ts'

/** A service could send an endless explanation. */
const maxMessageLength = 20_000

/** What a person reads about a command that failed. */
export function describeError(error: unknown, environment: Terminal['environment']): string {
  const text = messageOf(error, environment)
  return text.length > maxMessageLength ? `${text.slice(0, maxMessageLength)}…` : text
}

function messageOf(error: unknown, { MUSTER_DEBUG }: Terminal['environment']): string {
  if (isProblem(error)) {
    const known = error.message || error.title || `The service answered with ${error.status}.`
    const fields = error.errors
      // A single mistake is the message itself.
      .filter(({ name, reason }) => !(known.includes(name) && known.includes(reason)))
      .map(({ in: part, name, reason }) => `  ${part} ${name} ${reason}`)
    const request = error.status >= 500 && error.requestId ? [`  Request ${error.requestId}`] : []
    const title = `${known}${error.code ? ` (${error.code})` : ''}`
    return visibleLines([title, ...describeDetails(error.details), ...fields, ...request])
  }
  const { code, message, stack } = error as NodeJS.ErrnoException
  const isExpected = error instanceof UsageError || error instanceof CommandFailure || typeof code === 'string'
  if (isExpected) return message
  // Mostly an answer that is not what the API declares.
  return MUSTER_DEBUG ? (stack ?? String(error)) : `Unexpected: ${visibleLine(message)}. MUSTER_DEBUG=1 shows where.`
}

/** Further properties of a problem, such as the number of computers or the objects that block a change. */
function describeDetails(details: Readonly<Record<string, unknown>>): string[] {
  return Object.entries(details)
    .filter(([name]) => !['error', 'error_description'].includes(name))
    .map(([name, value]) => `  ${name}: ${typeof value === 'object' ? JSON.stringify(value) : value}`)
}
