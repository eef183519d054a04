import { sql } from 'kysely'
import { analyzeGrownTables } from '../../../../database/after-bulk-write.ts'
import type { Database } from '../../../../database/connect.ts'
import { ok, operation } from '../../../../platform/operation.ts'
import { ComputerPath } from '../../../computers/api/schemas.ts'
import { computerNotFound, lockComputer } from '../../../computers/computers.ts'
import { isOpenWork } from '../../../work-states/work-states.ts'
import { closeWork } from '../../close-work.ts'
import { powerDefaults } from '../../power-settings.ts'
import { computerNotGroupAssigned } from '../../problems.ts'
import { insertTask } from '../../tasks.ts'
import { RebootRequest, RebootRequested } from './schemas.ts'

export const rebootComputer = operation({
  id: 'rebootComputer',
  route: 'POST /api/computer/:id/reboot',
  summary: 'Request a reboot of a computer',
  description:
    'The agent reboots the computer at its next contact, before other work that is due. Work that the agent has begun is ' +
    'completed first. A computer has one request at a time: repeating the request before the agent leases it replaces the ' +
    'minutes. Cancels the power action of an activation. Answers 409 if the computer is in no group.',
  role: 'reboot.execute',
  destructive: true,
  params: ComputerPath,
  body: RebootRequest,
  bodyOptional: true,
  returns: ok(RebootRequested),
  problems: [computerNotFound, computerNotGroupAssigned],
  async handle({ params: { id: clientId }, body, db, caller }) {
    await lockComputer(db, clientId)
    if (!(await isInGroup(db, clientId))) throw computerNotGroupAssigned({ clientId })
    const timeoutMinutes = body?.timeoutMinutes ?? powerDefaults.timeoutMinutes
    const reminderMinutes = body?.reminderMinutes ?? powerDefaults.reminderMinutes
    await cancelOtherPowerActions(db, clientId)
    const newTask = await insertTask(db, {
      kind: 'Reboot',
      computerId: clientId,
      createdBy: caller.principal.name,
    })
    const { rows } = await sql<{ task_id: string }>`
      insert into work (computer_id, task_id, kind, power_action, timeout_minutes, reminder_minutes)
      values (${clientId}, ${newTask}, 'Power', 'Reboot', ${timeoutMinutes}, ${reminderMinutes})
      on conflict (computer_id, kind) where ${isOpenWork('state')} and package_id is null
      do update set timeout_minutes = excluded.timeout_minutes,
        reminder_minutes = excluded.reminder_minutes
      returning task_id`.execute(db)
    // The request has changed a work item that already waits and belongs to the task of an earlier request.
    const trackingId = rows[0]?.task_id ?? newTask
    if (trackingId !== newTask) await db.deleteFrom('tasks').where('id', '=', newTask).execute()
    await analyzeGrownTables(db, ['tasks', 'work'])
    return { clientId, timeoutMinutes, reminderMinutes, trackingId }
  },
})

async function isInGroup(db: Database, computerId: number): Promise<boolean> {
  const member = await db
    .selectFrom('group_computers')
    .innerJoin('groups', 'groups.id', 'group_computers.group_id')
    .select('groups.id')
    .where('group_computers.computer_id', '=', computerId)
    .where('groups.kind', '<>', 'Reinstall')
    .limit(1)
    .executeTakeFirst()
  return member !== undefined
}

/**
 * Cancels other power actions of the computer. A waiting one belongs to an activation and may be meant for later. A leased
 * one is a shutdown or a log-off, which the agent would report as the reboot.
 */
async function cancelOtherPowerActions(db: Database, computerId: number): Promise<void> {
  const target = sql`
    from tasks
    where tasks.id = work.task_id and work.computer_id = ${computerId} and work.kind = 'Power' and (
      work.state = 'Due' and tasks.kind <> 'Reboot' or work.state = 'Leased' and work.power_action <> 'Reboot')`
  await closeWork('Cancelled', 'Service', target).execute(db)
}
