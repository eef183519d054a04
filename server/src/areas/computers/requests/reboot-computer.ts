import { sql } from 'kysely'
import type { Database } from '../../../database/connect.ts'
import { computerNotFound, holdComputer } from '../../../domain/computers/computer-rows.ts'
import { computerNotGroupAssigned } from '../../../domain/deployments/problems.ts'
import { openTask } from '../../../domain/deployments/tasks.ts'
import { ok, operation } from '../../../platform/operation.ts'
import { ComputerPath } from '../schemas.ts'
import { RebootRequest, RebootRequested } from './schemas.ts'

const defaults = { timeoutMinutes: -1, reminderMinutes: 10 }

export const rebootComputer = operation({
  id: 'rebootComputer',
  route: 'POST /api/computer/:id/reboot',
  summary: 'Have a computer rebooted at the next contact of its agent',
  description:
    'A computer has one such request at a time. Repeated before the agent came for it, it replaces the minutes of the ' +
    'first; a shutdown or a log-off that waits becomes a reboot.',
  role: 'reboot.execute',
  params: ComputerPath,
  body: RebootRequest,
  bodyOptional: true,
  returns: ok(RebootRequested),
  problems: [computerNotFound, computerNotGroupAssigned],
  async handle({ params: { id: clientId }, body, db }) {
    await holdComputer(db, clientId)
    if (!(await isInGroup(db, clientId))) throw computerNotGroupAssigned({ clientId })
    const timeoutMinutes = body?.timeoutMinutes ?? defaults.timeoutMinutes
    const reminderMinutes = body?.reminderMinutes ?? defaults.reminderMinutes
    await cancelOtherAction(db, clientId)
    const newTask = await openTask(db, { kind: 'Reboot', computerId: clientId })
    const { rows } = await sql<{ task_id: string }>`
      insert into work (computer_id, task_id, kind, power_action, timeout_minutes, reminder_minutes)
      values (${clientId}, ${newTask}, 'Power', 'Reboot', ${timeoutMinutes}, ${reminderMinutes})
      on conflict (computer_id, kind) where state in ('Due', 'Leased') and package_id is null
      do update set power_action = excluded.power_action, timeout_minutes = excluded.timeout_minutes,
        reminder_minutes = excluded.reminder_minutes
      returning task_id`.execute(db)
    // The request went into work that waits already, which has its own task.
    if (rows[0]?.task_id !== newTask) await db.deleteFrom('tasks').where('id', '=', newTask).execute()
    return { clientId, timeoutMinutes, reminderMinutes }
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

/** An agent that has begun to shut down or to log off would report that as the reboot. */
async function cancelOtherAction(db: Database, computerId: number): Promise<void> {
  await sql`
    update work set state = 'Cancelled', closed_at = now(), leased_until = null
    where computer_id = ${computerId} and kind = 'Power' and state = 'Leased' and power_action <> 'Reboot'`.execute(db)
}
