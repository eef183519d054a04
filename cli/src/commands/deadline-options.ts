import type { components } from '@muster/client'
import type { Options, Parameter } from '../command.ts'
import { UsageError } from '../errors.ts'
import { parseCount, parseTime } from '../numbers.ts'

export type UserDeadline = components['schemas']['UserDeadline']

/** What the people at the computers may do before work begins, and until when. */
export const deadlineOptions: readonly Parameter[] = [
  ['--deadline <hours>', 'People may delay it for this many hours after their computer got it'],
  ['--latest <time>', 'People may delay it until this time at the latest'],
  ['--postponements <count>', 'How often people may choose to continue later; 0 by default'],
  ['--quiet <hours>', 'Times of each day in which it does not begin, such as 08:00-12:00'],
  ['--close <programs...>', 'Programs that people have to close; closed for them at the deadline'],
  ['--notice <minutes>', 'How long before programs are closed people are notified; 15 by default'],
]

const others = ['postponements', 'quiet', 'close', 'notice']

/** The deadline that the options describe; null if they do not. */
export function parseDeadline(options: Options): UserDeadline | null {
  const { deadline, latest, postponements, quiet, close, notice } = options
  if (deadline === undefined && latest === undefined) {
    const name = others.find((one) => options[one] !== undefined)
    if (name) throw new UsageError(`--${name} needs --deadline or --latest.`)
    return null
  }
  return {
    afterHours: deadline === undefined ? null : parseCount(deadline, '--deadline', 1),
    latestUtc: latest === undefined ? null : parseTime(latest),
    maxPostponements: postponements === undefined ? 0 : parseCount(postponements, '--postponements'),
    quietHours: quiet === undefined ? null : parseQuietHours(String(quiet)),
    closePrograms: (close as string[] | undefined) ?? [],
    noticeMinutes: notice === undefined ? 15 : parseCount(notice, '--notice', 1),
  }
}

export const removeDeadlineOption: Parameter = ['--remove', 'People are no longer asked']

/** The deadline to set; null to remove it, undefined to show it. */
export function parseDeadlineChange(options: Options): UserDeadline | null | undefined {
  const parsed = parseDeadline(options)
  if (options.remove !== true) return parsed ?? undefined
  if (parsed) throw new UsageError('--remove cannot be combined with a deadline.')
  return null
}

function parseQuietHours(text: string): NonNullable<UserDeadline['quietHours']> {
  const [, start, end] = /^(\d\d:\d\d)-(\d\d:\d\d)$/.exec(text) ?? []
  if (start === undefined || end === undefined)
    throw new UsageError(`"${text}" is not a range of quiet hours, such as 08:00-12:00.`)
  return { start, end }
}

/** A deadline in words. */
export function formatDeadline(deadline: UserDeadline | null): string {
  if (!deadline) return 'none'
  const { afterHours, latestUtc, maxPostponements, quietHours, closePrograms, noticeMinutes } = deadline
  const parts = [
    afterHours !== null && `${afterHours} hours after the computer got it`,
    latestUtc !== null && `at the latest ${latestUtc}`,
    `${maxPostponements} postponements`,
    quietHours && `quiet from ${quietHours.start} to ${quietHours.end}`,
    closePrograms.length > 0 && `then closes ${closePrograms.join(', ')} with ${noticeMinutes} minutes of notice`,
  ]
  return parts.filter(Boolean).join(', ')
}
