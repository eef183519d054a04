import type { Options, Parameter } from '../command.ts'
import { UsageError } from '../errors.ts'
import { parseCount } from '../numbers.ts'
import { formatCount } from '../output/counts.ts'

const usualMinutes = 15
const atNextContact = -1

/** The time that people have before their computer restarts, shuts down or signs them out. Nobody loses it by default. */
export const warningOptions: readonly Parameter[] = [
  ['--minutes <count>', `Minutes of warning before a restart, shutdown or sign-out; ${usualMinutes} by default`],
  ['--now', 'Restart, shut down or sign out without a warning'],
]

export const hasWarning = ({ minutes, now }: Options) => minutes !== undefined || now !== undefined

/** The minutes of warning, as the API has them. */
export function parseWarning({ minutes, now }: Options): number {
  if (now && minutes !== undefined) throw new UsageError('Choose --now or --minutes.')
  if (now) return atNextContact
  return minutes === undefined ? usualMinutes : parseCount(minutes, '--minutes', 1)
}

export const formatWarning = (timeoutMinutes: number) =>
  timeoutMinutes === atNextContact ? 'without a warning' : `users have ${formatCount(timeoutMinutes, 'minute')}`
