import { visibleJson } from '@muster/text'
import { type DestinationStream, destination, type Logger, pino } from 'pino'

/**
 * The log of a program: lines of JSON on the standard output. They contain texts of computers and callers, and a terminal
 * that shows the lines must not obey these.
 */
export function openLogger(level: string, output: DestinationStream = destination()): Logger {
  return pino({ level, hooks: { streamWrite: visibleJson } }, output)
}
