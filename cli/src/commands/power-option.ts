import type { components } from '@muster/client'
import type { Options, Parameter } from '../command.ts'
import { UsageError } from '../errors.ts'
import { parseDeadline } from './deadline-options.ts'

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
    return undefined
  }
  const action = actions.find((one) => one === options.then) as Power['action'] | undefined
  if (!action) throw new UsageError(`--then must be one of ${actions.join(', ')}.`)
  return { action, ...(userDeadline && { timeoutMinutes: userDeadline.noticeMinutes, userDeadline }) }
}
