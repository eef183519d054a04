import type { components } from '@muster/client'
import type { Options, Parameter } from '../command.ts'
import { UsageError } from '../errors.ts'
import { formatDeadline, parseDeadline, type UserDeadline } from './deadline-options.ts'
import { formatWarning, hasWarning, parseWarning } from './warning-options.ts'

type Power = components['schemas']['SrlSettings']

const actions = ['Reboot', 'Shutdown', 'LogOff']

export const powerOption: Parameter = [
  '--then <action>',
  'With deploy: what the computer does after all work: Reboot, Shutdown or LogOff',
  actions,
]

/** What the computers do after the work, with the deadline for people; undefined: nothing. */
export function parsePower(options: Options): Power | undefined {
  const userDeadline = parseDeadline(options)
  if (options.then === undefined) {
    if (userDeadline) throw new UsageError('A deadline needs --then: packages have that of their group.')
    if (hasWarning(options)) throw new UsageError('--minutes and --now need --then.')
    return undefined
  }
  const action = actions.find((one) => one === options.then) as Power['action'] | undefined
  if (!action) throw new UsageError(`--then must be one of ${actions.join(', ')}.`)
  return { action, ...parseWarningOrDeadline(options) }
}

/** The time that people have before the action: minutes of warning, or a deadline with a notice of its own. */
export function parseWarningOrDeadline(options: Options): { timeoutMinutes: number; userDeadline?: UserDeadline } {
  requireOneTime(options)
  const userDeadline = parseDeadline(options)
  return userDeadline
    ? { timeoutMinutes: userDeadline.noticeMinutes, userDeadline }
    : { timeoutMinutes: parseWarning(options) }
}

function requireOneTime(options: Options): void {
  if (hasWarning(options) && parseDeadline(options))
    throw new UsageError('--minutes and --now exclude a deadline, which has --notice.')
}

/** What the computers do and how long people have for it, in words. */
export const formatPower = ({ action, timeoutMinutes, userDeadline }: Power) =>
  `Then: ${action}, ${userDeadline ? `deadline ${formatDeadline(userDeadline)}` : formatWarning(timeoutMinutes ?? 0)}`
