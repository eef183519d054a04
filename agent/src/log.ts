import { visibleLine } from '@muster/text'
import { print } from '@muster/text/print'
import type { LogEvent, Service } from './platform/machine.ts'

let write: Service['log'] = print

/** Chosen once, with the platform. */
export function logTo({ log }: Pick<Service, 'log'>): void {
  write = log
}

/** Writes one line. `event` is what it reports, if that is of interest to more people than those who read the log. */
export function log(message: string, event?: LogEvent): void {
  write(visibleLine(message), event)
}
