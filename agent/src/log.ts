import { visibleLine } from '@muster/text'
import { print } from '@muster/text/print'
import type { LogEvent, Service } from './platform/machine.ts'

let write: Service['log'] = print

/** Chosen once, with the platform. */
export function logTo({ log }: Pick<Service, 'log'>): void {
  write = log
}

const maxLength = 4_000

/** Many lines contain texts that the agent did not write. None of them may fill the log. */
function shorten(message: string): string {
  const rest = message.length - maxLength
  return rest > 0 ? `${message.slice(0, maxLength)}… (${rest} more characters)` : message
}

/** Writes one line. `event` is what it reports, if that is of interest to more people than those who read the log. */
export function log(message: string, event?: LogEvent): void {
  write(visibleLine(shorten(message)), event)
}
