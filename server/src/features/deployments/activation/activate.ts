import { sql } from 'kysely'
import type { Database } from '../../../database/connect.ts'
import { noPxeBootImageToActivate } from '../../assignments/problems.ts'
import { requestWakeUps } from '../../wake-on-lan/wake-requests.ts'
import { isOpenWork, workLockOrder } from '../../work-states/work-states.ts'
import { cancelWorkCtes } from '../cancel-work.ts'
import { insertDistributionEvents } from '../distribution-events.ts'
import type { PowerSettings } from '../power-settings.ts'
import { insertTask, type NewTask } from '../tasks.ts'
import { type ActivationScope, lockScope } from './activation-scope.ts'
import { bootableComputers, countBootable } from './bootable-computers.ts'
import { belongsToBit, dueWork, offeredPatchFixes, optionColumns, type WorkBit } from './due-work.ts'
import { loadReachableOptions, type ReachableOptions } from './reachable-options.ts'

export type ActivationBits = { software: boolean; pxe: boolean; pull: boolean }

export type Activation = ActivationBits & {
  scope: ActivationScope
  /** When Wake-on-LAN is sent to all computers of the scope; null: never. */
  wakeAt: Date | 'now' | null
  /** What the computers do after all other work. */
  srl: PowerSettings | null
  /** The task to which the work belongs. */
  task: NewTask
}

export type ActivationResult = {
  computerCount: number
  /** When computers are woken; null if none of them can be. */
  wakeAt: Date | null
  /** The number of computers on which PXE was requested but not activated. */
  withoutPxeBootImage: number
  /** The number of computers that do not boot before their packages may be distributed. */
  notReadyForPxe: number
  /** The number of computers that can be neither woken nor booted as requested, because nobody knows their address. */
  withoutMacAddress: number
  /** The id of the task; null if no work was due. */
  trackingId: string | null
}

/**
 * Publishes the assignments of the computers: creates the work that is due now. The number of statements depends on the
 * request, never on the number of computers.
 */
export async function activate(db: Database, activation: Activation): Promise<ActivationResult> {
  const { scope, pxe, software } = activation
  const { computerCount, withoutMacAddress, now } = await lockScope(db, scope)
  const { withImage, notReady } = pxe ? await countBootable(db, scope) : { withImage: 0, notReady: 0 }
  const { computerId: clientId, groupId } = activation.task
  if (pxe && computerCount > 0 && withImage === 0) throw noPxeBootImageToActivate({ clientId, groupId })
  const options = await loadReachableOptions(db, scope.computers, now)
  const wakeAt = activation.wakeAt === 'now' ? now : activation.wakeAt
  const taskId = await insertTask(db, activation.task)
  await insertActivations(db, activation, withImage === computerCount)
  if (pxe) await deleteReportedBootGrants(db, scope)
  const bits: WorkBit[] = [...(software ? (['software'] as const) : []), ...(pxe ? (['pxe'] as const) : [])]
  await insertComputerWork(db, activation, wakeAt, taskId)
  await reviseWaitingWork(db, scope, bits, options)
  for (const bit of bits) await insertDueWork(db, scope, bit, options, taskId)
  await markPending(db, taskId)
  await recordPendingEvents(db, taskId, activation.task.kind === 'Activation' ? 'Activation' : 'Request')
  if (software) await insertPatchFixDeployments(db, scope)
  const isWaking = await requestWakeUps(db, { computers: scope.computers, taskId, wakeAt, canWake: options.canWake })
  return {
    computerCount,
    wakeAt: isWaking ? wakeAt : null,
    withoutPxeBootImage: pxe ? computerCount - withImage : 0,
    notReadyForPxe: notReady,
    withoutMacAddress: pxe || wakeAt ? withoutMacAddress : 0,
    trackingId: (await deleteTaskIfEmpty(db, taskId)) ? null : taskId,
  }
}

/** With `pxe`, only computers with a boot image are activated for it. If all of them have one, `allBoot` saves looking. */
async function insertActivations(
  db: Database,
  { scope, software, pxe, pull }: Activation,
  allBoot: boolean,
): Promise<void> {
  const [boots, bootable] =
    pxe && !allBoot
      ? [
          sql`(bootable.computer_id is not null)`,
          sql`left join (${bootableComputers(scope)}) as bootable on bootable.computer_id = published.computer_id`,
        ]
      : [sql`${pxe}::boolean`, sql``]
  await sql`
    insert into activations (computer_id, group_id, software, pxe, pull)
    select published.computer_id, group_id, ${software}::boolean, ${boots}, ${pull}::boolean
    from (${scope.memberships}) as published ${bootable}
    where ${software}::boolean or ${boots} or ${pull}::boolean
    order by published.computer_id, group_id
    on conflict on constraint activations_computer_id_group_id_key do update set
      software = activations.software or excluded.software,
      pxe = activations.pxe or excluded.pxe,
      pull = activations.pull or excluded.pull,
      activated_at = excluded.activated_at`.execute(db)
}

/** A computer whose installer has reported without being confirmed is installed again if it is activated again. */
async function deleteReportedBootGrants(db: Database, { computers }: ActivationScope): Promise<void> {
  await sql`
    delete from boot_grants where id = any(array(
      select id from boot_grants where reported_at is not null and computer_id in (${computers})
      order by computer_id, address for update))`.execute(db)
}

/**
 * Cancels waiting work that is no longer due and updates the options of waiting work that still is. Work that a user has
 * postponed, or that is retried after a failure, does not start earlier for it. One statement for all bits, because it
 * locks the work in one order.
 */
async function reviseWaitingWork(
  db: Database,
  { computers }: ActivationScope,
  bits: readonly WorkBit[],
  { windows }: ReachableOptions,
): Promise<void> {
  if (bits.length === 0) return
  const waitingComputers = sql<{ owner_id: number }>`select distinct computer_id as owner_id from waiting`
  const due = bits.map((bit) => sql`select * from (${dueWork(bit, waitingComputers, windows)}) as due`)
  const belongsToBits = sql.join(
    bits.map((bit) => belongsToBit(bit, 'work', 'p')),
    sql` or `,
  )
  await sql`
    with waiting as materialized (
      select work.id, work.computer_id
      from work join packages p on p.id = work.package_id and p.kind <> 'PatchFix'
      where work.computer_id in (${computers}) and work.state = 'Due' and work.package_id is not null
        and work.reinstall_group_id is null and (${belongsToBits})
    ), due as materialized (
      ${sql.join(due, sql` union all `)}
    ), changing as materialized (
      select work.id, due.kind is null as is_obsolete, due.*
      from waiting
        join work on work.id = waiting.id and work.state = 'Due'
        left join due on due.computer_id = work.computer_id and due.package_id = work.package_id
          and due.kind = work.kind
      where due.kind is null
        or (work.group_id, work.commands, work.schedule, work.revoke_count, work.revoke_date, work.optional_date)
          is distinct from (due.group_id, due.commands, due.schedule, due.revoke_count, due.revoke_date,
            due.optional_date)
      order by ${workLockOrder('work')} for update of work
    ), ${cancelWorkCtes(sql`select id from changing where is_obsolete`)}
    update work set
      group_id = changing.group_id, commands = changing.commands, schedule = changing.schedule,
      revoke_count = changing.revoke_count, revoke_date = changing.revoke_date, optional_date = changing.optional_date,
      window_ends_at = case when work.schedule = changing.schedule then work.window_ends_at else changing.window_ends_at end,
      not_before = case
        when work.schedule = changing.schedule then work.not_before
        when work.attempt > 0 or work.postponements > 0
          then greatest(nullif(work.not_before, 'infinity'), changing.not_before)
        else changing.not_before end,
      delayed_by = case when work.schedule = changing.schedule or work.not_before > changing.not_before then work.delayed_by end
    from changing where work.id = changing.id and not changing.is_obsolete`.execute(db)
}

/** Inserts work in the order of computers and package names: agents lease the items of a computer in this order. */
async function insertDueWork(
  db: Database,
  { computers }: ActivationScope,
  bit: WorkBit,
  { windows }: ReachableOptions,
  taskId: string,
): Promise<void> {
  await sql`
    insert into work (computer_id, package_id, task_id, kind, not_before, window_ends_at, ${optionColumns})
    select computer_id, package_id, ${taskId}::uuid, kind, not_before, window_ends_at, ${optionColumns}
    from (${dueWork(bit, computers, windows)}) as due
    order by computer_id, place
    on conflict (computer_id, package_id) where ${isOpenWork('state')} and package_id is not null do nothing`.execute(
    db,
  )
}

/** Inserts work without a package. A computer has at most one open item of each kind; the last request wins. */
async function insertComputerWork(
  db: Database,
  { scope, pull, srl }: Activation,
  wakeAt: Date | null,
  taskId: string,
): Promise<void> {
  if (!pull && !srl) return
  await sql`
    insert into work (computer_id, task_id, kind, not_before, power_action, timeout_minutes, reminder_minutes)
    select owner_id, ${taskId}::uuid, kind, not_before, power_action, timeout_minutes, reminder_minutes
    from (${scope.computers}) as scope, (
      select 'Power' as kind, coalesce(${wakeAt}::timestamptz, now()) as not_before, ${srl?.action ?? null}::text as power_action,
        ${srl?.timeoutMinutes ?? null}::integer as timeout_minutes,
        ${srl?.reminderMinutes ?? null}::integer as reminder_minutes
      where ${srl !== null}::boolean
      union all select 'Refresh', now(), null, null, null where ${pull}::boolean
    ) as item
    where exists (select from activations a where a.computer_id = owner_id)
    order by owner_id, kind
    on conflict (computer_id, kind) where ${isOpenWork('state')} and package_id is null do update set
      not_before = excluded.not_before, delayed_by = null, power_action = excluded.power_action,
      timeout_minutes = excluded.timeout_minutes, reminder_minutes = excluded.reminder_minutes
    where work.kind = 'Power' and work.state = 'Due'`.execute(db)
}

async function markPending(db: Database, taskId: string): Promise<void> {
  await sql`
    insert into deployments (computer_id, package_id, pending_since)
    select computer_id, package_id, now() from work where task_id = ${taskId} and package_id is not null
    order by computer_id, package_id
    on conflict on constraint deployments_pkey do update
      set pending_since = coalesce(deployments.pending_since, excluded.pending_since)`.execute(db)
}

async function recordPendingEvents(
  db: Database,
  taskId: string,
  classification: 'Activation' | 'Request',
): Promise<void> {
  await insertDistributionEvents({
    from: sql`work where task_id = ${taskId} and package_id is not null order by id`,
    result: 'Pending',
    classification,
    installMode: sql.ref('kind'),
  }).execute(db)
}

/** Assigned fix packages become pending at once. Their work is created when a scan finds a missing patch. */
async function insertPatchFixDeployments(db: Database, { computers }: ActivationScope): Promise<void> {
  await sql`
    with inserted as (
      insert into deployments (computer_id, package_id)
      select computer_id, package_id from (${offeredPatchFixes(computers)}) as fixes order by computer_id, package_id
      on conflict on constraint deployments_pkey do nothing
      returning computer_id, package_id
    )
    ${insertDistributionEvents({
      from: sql`inserted`,
      result: 'Pending',
      classification: 'Activation',
      installMode: null,
    })}`.execute(db)
}

/** Deletes a task to which no work belongs. Returns whether it did. */
async function deleteTaskIfEmpty(db: Database, taskId: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('tasks')
    .where('id', '=', taskId)
    .where(sql<boolean>`not exists (select from work where task_id = ${taskId})`)
    .executeTakeFirst()
  return numDeletedRows > 0n
}
