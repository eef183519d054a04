import { closed, nullable, Type } from '../../../platform/schema.ts'
import { RebootRequest, RebootRequested } from '../../deployments/api/requests/schemas.ts'
import { UserDeadline } from '../../distribution/api/user-deadline-schemas.ts'
import { windowsOf, windowTimeZone } from '../../rollouts/api/common-schemas.ts'

const windows = {
  ...windowsOf('When computers restart. A restart begins only if its minutes still fit into the window'),
  minItems: 1,
}

const about =
  'When computers of the policy are restarted that need it. Of the policies of a computer, the first one with a restart decides. Null: the ' +
  'policy restarts nobody.'

/** What requests give. */
export const RequestedRestart = closed(
  { windows, timeZone: Type.Optional(nullable(windowTimeZone)), ...RebootRequest.properties },
  { title: 'PatchRestartRequest', description: `${about} Omitted or null minutes default to -1 and 10.` },
)

const { timeoutMinutes, reminderMinutes } = RebootRequested.properties

export const PatchRestart = closed(
  {
    windows,
    timeZone: nullable(windowTimeZone),
    timeoutMinutes,
    reminderMinutes,
    userDeadline: nullable(UserDeadline),
  },
  { title: 'PatchRestart', description: about },
)
