import { readableCause } from '@muster/text'

/** A cause of failures as a line of its own. Causes are compared in lower case, which is no way to begin a line. */
export function causeTitle(cause: string): string {
  const text = readableCause(cause)
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`.replace(/…\.+$/, '…')
}
