import { visibleJson } from '@muster/text'
import { type Logger, pino } from 'pino'

/** The log of a program. Its lines are JSON, and contain texts of computers and callers: a terminal that shows them must not obey these. */
export function openLogger(level: string): Logger {
  return pino({ level, hooks: { streamWrite: visibleJson } })
}
