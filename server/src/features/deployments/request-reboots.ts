import { sql } from 'kysely'
import { analyzeGrownTables } from '../../database/after-bulk-write.ts'
import type { Database } from '../../database/connect.ts'
import { formatSchedule, noSchedule } from '../distribution/schedule.ts'
import { cancelWork } from '../work-states/cancel-work.ts'
import { isOpenWork } from '../work-states/work-states.ts'
import type { PowerSettings } from './power-settings.ts'
import { deleteTaskIfEmpty, insertTask, type NewTask } from './tasks.ts'

/** Only computers in a group are rebooted. The group of a pending reinstall does not count. */
export const computersInGroups = sql<{ computer_id: number }>`select computer_id from effective_memberships`

type RebootTerms = Omit<PowerSettings, 'action'>

/** For a request of a patch policy: an agent gets it between these times, or not at all. */
export type RestartWindow = { policyId: number; from: Date; until: Date }

export type RequestedReboots = {
  /** How many of the computers are in a group. */
  inGroups: number
  /** How many computers have a work item of the new task. */
  requested: number
  /** The id of the new task; null if every computer has an earlier request. */
  trackingId: string | null
  /** The task of the first computer: the new one, or that of its earlier request. Null if none is in a group. */
  firstTaskId: string | null
}

/**
 * Requests a reboot of those computers that are in a group, as one task. A computer has one request at a time: a request
 * that already waits gets the new terms and keeps its task. A request of a patch policy gives way to any other, and is not made
 * where there is one. The caller has locked the computers.
 */
export async function requestReboots(
  db: Database,
  computerIds: readonly number[],
  { timeoutMinutes, reminderMinutes, userDeadline }: RebootTerms,
  task: NewTask,
  window: RestartWindow | null = null,
): Promise<RequestedReboots> {
  if (!window) await cancelOtherPowerActions(db, computerIds)
  const taskId = await insertTask(db, task)
  const { rows } = await sql<{ in_groups: number; requested: number; first_task_id: string | null }>`
    with requested as (
      insert into work (computer_id, task_id, kind, power_action, timeout_minutes, reminder_minutes, user_deadline,
        restart_policy_id, not_before, schedule, window_ends_at)
      select id, ${taskId}::uuid, 'Power', 'Reboot', ${timeoutMinutes}::integer, ${reminderMinutes}::integer,
        ${userDeadline && JSON.stringify(userDeadline)}::jsonb, ${window?.policyId ?? null}::integer,
        greatest(now(), ${window?.from ?? null}::timestamptz),
        ${window ? formatSchedule({ ...noSchedule, until: window.until }) : ''}, ${window?.until ?? null}::timestamptz
      from unnest(${computerIds}::integer[]) as listed (id) where id in (${computersInGroups})
      order by id
      on conflict (computer_id, kind) where ${isOpenWork('state')} and package_id is null
      do ${
        window
          ? sql`nothing`
          : sql`update set timeout_minutes = excluded.timeout_minutes, reminder_minutes = excluded.reminder_minutes,
        user_deadline = excluded.user_deadline`
      }
      returning task_id
    )
    select count(*)::integer as in_groups, (count(*) filter (where task_id = ${taskId}))::integer as requested,
      (array_agg(task_id))[1] as first_task_id
    from requested`.execute(db)
  const [counted] = rows
  if (!counted) throw new Error('A count without a group has one row.')
  const isEmpty = await deleteTaskIfEmpty(db, taskId)
  await analyzeGrownTables(db, ['tasks', 'work'])
  return {
    inGroups: counted.in_groups,
    requested: counted.requested,
    trackingId: isEmpty ? null : taskId,
    firstTaskId: counted.first_task_id,
  }
}

/**
 * Cancels other power actions of the computers in groups. A waiting one belongs to an activation and may be meant for later.
 * A leased one is a shutdown or a log-off, which the agent would report as the reboot. What a patch policy has requested would be
 * withdrawn with its window.
 */
async function cancelOtherPowerActions(db: Database, computerIds: readonly number[]): Promise<void> {
  const target = sql`
    from tasks
    where tasks.id = work.task_id and work.computer_id = any(${computerIds}::integer[])
      and work.computer_id in (${computersInGroups}) and work.kind = 'Power' and (
        work.state = 'Due' and tasks.kind <> 'Reboot' or work.state = 'Leased' and work.power_action <> 'Reboot'
        or ${isOpenWork('work.state')} and work.restart_policy_id is not null)`
  await cancelWork(target, { reason: 'NewRequest' }).execute(db)
}
