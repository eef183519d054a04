import { ok, operation } from '../../../../platform/operation.ts'
import { ComputerPath } from '../../../computers/api/schemas.ts'
import { computerNotFound, lockComputer } from '../../../computers/computers.ts'
import { parseUserDeadline } from '../../../distribution/user-deadline.ts'
import { powerDefaults } from '../../power-settings.ts'
import { computerNotGroupAssigned } from '../../problems.ts'
import { requestReboots } from '../../request-reboots.ts'
import { RebootRequest, RebootRequested } from './schemas.ts'

export const rebootComputer = operation({
  id: 'rebootComputer',
  route: 'POST /api/computer/:id/reboot',
  summary: 'Request a reboot of a computer',
  description:
    'The agent reboots the computer at its next contact, before other work that is due. Work that the agent has begun is ' +
    'completed first. A computer has one request at a time: repeating the request before the agent leases it replaces the ' +
    'minutes and the deadline. With a deadline, a user may continue later until then. Cancels the power action of an activation. Answers 409 if the computer is in no group.',
  role: 'reboot.execute',
  destructive: true,
  params: ComputerPath,
  body: RebootRequest,
  bodyOptional: true,
  returns: ok(RebootRequested),
  problems: [computerNotFound, computerNotGroupAssigned],
  async handle({ params: { id: clientId }, body, db, caller }) {
    await lockComputer(db, clientId)
    const timeoutMinutes = body?.timeoutMinutes ?? powerDefaults.timeoutMinutes
    const reminderMinutes = body?.reminderMinutes ?? powerDefaults.reminderMinutes
    const task = { kind: 'Reboot', computerId: clientId, createdBy: caller.principal } as const
    const terms = { timeoutMinutes, reminderMinutes, userDeadline: parseUserDeadline(body?.userDeadline) }
    const { inGroups, firstTaskId } = await requestReboots(db, [clientId], terms, task)
    if (inGroups === 0 || firstTaskId === null) throw computerNotGroupAssigned({ clientId })
    return { clientId, timeoutMinutes, reminderMinutes, trackingId: firstTaskId }
  },
})
