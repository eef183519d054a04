import { sql } from 'kysely'
import { ok, operation } from '../../../../platform/operation.ts'
import { lockComputers } from '../../../computers/computers.ts'
import { parseUserDeadline } from '../../../distribution/user-deadline.ts'
import { listedComputers } from '../../../groups/affected-computers.ts'
import { powerDefaults } from '../../power-settings.ts'
import { computersInGroups, requestReboots } from '../../request-reboots.ts'
import { SelectionReboot, SelectionRebootRequest } from './schemas.ts'

export const rebootComputers = operation({
  id: 'rebootComputers',
  route: 'POST /api/fleet/computers/reboot',
  summary: 'Request a reboot of selected computers',
  description:
    'Does for each of the computers what rebootComputer does, as one task. Computers that are in no group are skipped and ' +
    'counted.',
  role: 'reboot.execute',
  execution: { kind: 'LongChange' },
  extension: true,
  destructive: true,
  massAction: {
    computers: ({ body }) => sql`
      select computer_id from (${listedComputers(body.computerIds)}) as listed
      where computer_id in (${computersInGroups})`,
    restrictsToApproved: true,
  },
  body: SelectionRebootRequest,
  returns: ok(SelectionReboot),
  async handle({ body, db, caller, approvedComputerIds }) {
    const approved = approvedComputerIds && new Set(approvedComputerIds)
    const computerIds = body.computerIds.filter((id) => approved?.has(id) ?? true)
    const timeoutMinutes = body.timeoutMinutes ?? powerDefaults.timeoutMinutes
    const reminderMinutes = body.reminderMinutes ?? powerDefaults.reminderMinutes
    const found = await lockComputers(db, computerIds)
    const { inGroups, requested, trackingId } = await requestReboots(
      db,
      found,
      { timeoutMinutes, reminderMinutes, userDeadline: parseUserDeadline(body.userDeadline) },
      { kind: 'Reboot', createdBy: caller.principal },
    )
    return {
      requested,
      alreadyRequested: inGroups - requested,
      withoutGroup: found.length - inGroups,
      notFound: new Set(computerIds).size - found.length,
      timeoutMinutes,
      reminderMinutes,
      trackingId,
    }
  },
})
