import { sql } from 'kysely'
import type { Database } from '../../../database/connect.ts'
import { noPxeBootImageToActivate } from '../../assignments/problems.ts'
import { requestWakes } from '../../wake-on-lan/wake-requests.ts'
import { cancelling } from '../cancel-work.ts'
import type { PowerSettings } from '../power-settings.ts'
import { type NewTask, openTask } from '../tasks.ts'
import { type ActivationScope, followPxeBits, lockScope, ownGroup } from './activation-scope.ts'
import { belongsTo, dueWork, offeredPatchFixes, optionColumns, type WorkBit } from './due-work.ts'
import { type OptionsInReach, optionsInReach } from './reachable-options.ts'

export type Bits = { software: boolean; pxe: boolean; pull: boolean }

export type Activation = Bits & {
  scope: ActivationScope
  /** When Wake-on-LAN is sent to all computers of the scope. */
  wakeAt: Date | 'now' | null
  /** What the computers do when everything else is done. */
  srl: PowerSettings | null
  /** The trigger, to which the work belongs. */
  task: NewTask
}

export type Activated = {
  computerCount: number
  wakeAt: Date | null
  /** Computers for which PXE was asked and not activated. */
  withoutPxeBootImage: number
  /** Null when nothing was due. */
  trackingId: string | null
}

/**
 * Publishes what is assigned: makes the work of it that is due now. The number of statements depends on what is asked
 * for, never on the number of computers.
 */
export async function activate(db: Database, activation: Activation): Promise<Activated> {
  const { scope, pxe, software } = activation
  const { computerCount, now } = await lockScope(db, scope)
  const bootable = pxe ? await countBootable(db, scope) : 0
  const { computerId: clientId, groupId } = activation.task
  if (pxe && computerCount > 0 && bootable === 0) throw noPxeBootImageToActivate({ clientId, groupId })
  const inReach = await optionsInReach(db, scope.computers, now)
  const wakeAt = activation.wakeAt === 'now' ? now : activation.wakeAt
  const taskId = await openTask(db, activation.task)
  await publish(db, activation)
  const bits: WorkBit[] = [...(software ? (['software'] as const) : []), ...(pxe ? (['pxe'] as const) : [])]
  for (const bit of bits) {
    await reviseWaitingWork(db, scope, bit, inReach)
    await insertDueWork(db, scope, bit, inReach, taskId)
  }
  await insertOtherWork(db, activation, wakeAt, taskId)
  await markPending(db, taskId)
  await tellPending(db, taskId, activation.task.kind === 'Activation' ? 'Activation' : 'Request')
  if (software) await awaitPatches(db, scope)
  await requestWakes(db, { computers: scope.computers, taskId, wakeAt, ...inReach })
  if (pxe) await followPxeBits(db, scope)
  return {
    computerCount,
    wakeAt,
    withoutPxeBootImage: pxe ? computerCount - bootable : 0,
    trackingId: (await isEmpty(db, taskId)) ? null : taskId,
  }
}

/** The computers of the scope that have a boot image. */
const bootableOf = ({ computers }: ActivationScope) => sql`
  select distinct member.computer_id
  from (${computers}) as asked join group_computers member on member.computer_id = asked.owner_id ${ownGroup}
  where exists (
    select from group_ancestors above join group_pxe_boot_images boot on boot.group_id = above.ancestor_id
    where above.descendant_id = member.group_id)`

async function countBootable(db: Database, scope: ActivationScope): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from (${bootableOf(scope)}) as bootable`.execute(db)
  return rows[0]?.count ?? 0
}

async function publish(db: Database, { scope, software, pxe, pull }: Activation): Promise<void> {
  const bootable = pxe ? bootableOf(scope) : sql`select null::integer as computer_id`
  await sql`
    insert into activations (computer_id, group_id, software, pxe, pull)
    select published.computer_id, group_id, ${software}::boolean, bootable.computer_id is not null, ${pull}::boolean
    from (${scope.memberships}) as published
      left join (${bootable}) as bootable on bootable.computer_id = published.computer_id
    where ${software}::boolean or bootable.computer_id is not null or ${pull}::boolean
    order by published.computer_id, group_id
    on conflict on constraint activations_computer_id_group_id_key do update set
      software = activations.software or excluded.software,
      pxe = activations.pxe or excluded.pxe,
      pull = activations.pull or excluded.pull,
      activated_at = excluded.activated_at`.execute(db)
}

/**
 * Work that waits and is not due any more is cancelled; where it still is, it gets the options of now. What was put off,
 * by a person or after a failure, stays so.
 */
async function reviseWaitingWork(
  db: Database,
  { computers }: ActivationScope,
  bit: WorkBit,
  { windows }: OptionsInReach,
): Promise<void> {
  await sql`
    with waiting as materialized (
      select work.id, work.computer_id
      from work join packages p on p.id = work.package_id and p.kind <> 'PatchFix'
      where work.computer_id in (${computers}) and work.state = 'Due' and work.package_id is not null
        and work.reinstall_group_id is null and ${belongsTo[bit]}
    ), wanted as materialized (
      ${dueWork(bit, sql`select distinct computer_id as owner_id from waiting`, windows)}
    ), changing as materialized (
      select work.id, wanted.kind is null as is_obsolete, wanted.*
      from waiting
        join work on work.id = waiting.id and work.state = 'Due'
        left join wanted on wanted.computer_id = work.computer_id and wanted.package_id = work.package_id
          and wanted.kind = work.kind
      where wanted.kind is null
        or (work.group_id, work.commands, work.schedule, work.revoke_count, work.revoke_date, work.optional_date)
          is distinct from (wanted.group_id, wanted.commands, wanted.schedule, wanted.revoke_count, wanted.revoke_date,
            wanted.optional_date)
      order by work.computer_id, work.package_id for update of work
    ), ${cancelling(sql`select id from changing where is_obsolete`)}
    update work set
      group_id = changing.group_id, commands = changing.commands, schedule = changing.schedule,
      revoke_count = changing.revoke_count, revoke_date = changing.revoke_date, optional_date = changing.optional_date,
      window_ends_at = case when work.schedule = changing.schedule then work.window_ends_at else changing.window_ends_at end,
      not_before = case
        when work.schedule = changing.schedule then work.not_before
        when work.attempt > 0 or work.postponements > 0
          then greatest(nullif(work.not_before, 'infinity'), changing.not_before)
        else changing.not_before end
    from changing where work.id = changing.id and not changing.is_obsolete`.execute(db)
}

/** In the order of computers and names of packages, in which the pieces of one computer are then handed out. */
async function insertDueWork(
  db: Database,
  { computers }: ActivationScope,
  bit: WorkBit,
  { windows }: OptionsInReach,
  taskId: string,
): Promise<void> {
  await sql`
    insert into work (computer_id, package_id, task_id, kind, not_before, window_ends_at, ${optionColumns})
    select computer_id, package_id, ${taskId}::uuid, kind, not_before, window_ends_at, ${optionColumns}
    from (${dueWork(bit, computers, windows)}) as due
    order by computer_id, place
    on conflict (computer_id, package_id) where state in ('Due', 'Leased') and package_id is not null do nothing`.execute(
    db,
  )
}

/** Work that is about no package: of each kind a computer has one piece at most, with what was asked for last. */
async function insertOtherWork(
  db: Database,
  { scope, pull, srl }: Activation,
  wakeAt: Date | null,
  taskId: string,
): Promise<void> {
  if (!pull && !srl) return
  await sql`
    insert into work (computer_id, task_id, kind, not_before, power_action, timeout_minutes, reminder_minutes)
    select owner_id, ${taskId}::uuid, kind, not_before, power_action, timeout_minutes, reminder_minutes
    from (${scope.computers}) as asked, (
      select 'Power' as kind, coalesce(${wakeAt}::timestamptz, now()) as not_before, ${srl?.action ?? null}::text as power_action,
        ${srl?.timeoutMinutes ?? null}::integer as timeout_minutes,
        ${srl?.reminderMinutes ?? null}::integer as reminder_minutes
      where ${srl !== null}::boolean
      union all select 'Refresh', now(), null, null, null where ${pull}::boolean
    ) as piece
    where exists (select from activations a where a.computer_id = owner_id)
    order by owner_id, kind
    on conflict (computer_id, kind) where state in ('Due', 'Leased') and package_id is null do update set
      not_before = excluded.not_before, power_action = excluded.power_action,
      timeout_minutes = excluded.timeout_minutes, reminder_minutes = excluded.reminder_minutes
    where work.kind = 'Power' and work.state = 'Due'`.execute(db)
}

async function markPending(db: Database, taskId: string): Promise<void> {
  await sql`
    insert into deployments (computer_id, package_id, pending_since)
    select computer_id, package_id, now() from work where task_id = ${taskId} and package_id is not null order by id
    on conflict on constraint deployments_pkey do update
      set pending_since = coalesce(deployments.pending_since, excluded.pending_since)`.execute(db)
}

async function tellPending(db: Database, taskId: string, cause: 'Activation' | 'Request'): Promise<void> {
  await sql`
    insert into distribution_events (computer_id, package_id, result, classification, install_mode)
    select computer_id, package_id, 'Pending', ${cause}, kind from work
    where task_id = ${taskId} and package_id is not null order by id`.execute(db)
}

/** A package for patches has a state from now on, but no work before a scan finds something missing. */
async function awaitPatches(db: Database, { computers }: ActivationScope): Promise<void> {
  await sql`
    with made as (
      insert into deployments (computer_id, package_id)
      select computer_id, package_id from (${offeredPatchFixes(computers)}) as fixes order by computer_id, package_id
      on conflict on constraint deployments_pkey do nothing
      returning computer_id, package_id
    )
    insert into distribution_events (computer_id, package_id, result, classification)
    select computer_id, package_id, 'Pending', 'Activation' from made`.execute(db)
}

/** A task without work is not kept. */
async function isEmpty(db: Database, taskId: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('tasks')
    .where('id', '=', taskId)
    .where(sql<boolean>`not exists (select from work where task_id = ${taskId})`)
    .executeTakeFirst()
  return numDeletedRows > 0n
}
