import type { Service } from './platform/machine.ts'

let write: Service['log'] = (line) => console.log(line)

/** Chosen once, with the platform. */
export function logTo({ log }: Pick<Service, 'log'>): void {
  write = log
}

/** Writes one line per event. */
export function log(message: string): void {
  write(message.toWellFormed().replaceAll(/[\r\n]+/g, ' '))
}
