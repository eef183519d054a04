import { sql } from 'kysely'
import type { Database } from '../../../database/connect.ts'
import type { CountRemovals } from '../../../platform/operation.ts'
import { insertTask } from '../tasks.ts'
import { type Activation, type ActivationResult, noneBootable, requireBootable } from './activate.ts'
import type { ActivationScope } from './activation-scope.ts'
import { bootableComputers } from './bootable-computers.ts'
import { countPlannedRemovals, type PlannedRemovals } from './planned-removals.ts'
import { toLimitColumns } from './stored-limits.ts'

/** An activation whose removals count against the quota of the caller. */
export type CountedActivation = Activation & {
  limit: { countRemovals: CountRemovals }
  /** What its computers may get; undefined: anything. */
  approvedContent?: readonly string[] | undefined
}

/**
 * Accepts an activation whose work is created in slices later, by `makeSlices`. The counts are those that `activate` would
 * return. Whether any work is due is not known yet, so there always is a task.
 */
export async function acceptActivation(db: Database, activation: CountedActivation): Promise<ActivationResult> {
  const { scope, pxe, task } = activation
  const taskId = await insertTask(db, task)
  const removals = await countPlannedRemovals(db, activation.limit.countRemovals, { ...activation, packageId: null })
  const { computerCount, withoutMacAddress, wakeAt } = await insertSlicedActivation(db, activation, taskId, removals)
  const { withImage, bootable, notReady } = pxe ? await requireBootable(db, scope, task) : noneBootable
  return {
    computerCount,
    wakeAt: wakeAt && (await canWakeAny(db, activation)) ? wakeAt : null,
    withoutPxeBootImage: pxe ? computerCount - withImage : 0,
    pxeNotApplicable: withImage - bootable,
    notReadyForPxe: notReady,
    withoutMacAddress: pxe || wakeAt ? withoutMacAddress : 0,
    trackingId: taskId,
  }
}

type Accepted = { computerCount: number; withoutMacAddress: number; wakeAt: Date | null }

async function insertSlicedActivation(
  db: Database,
  activation: CountedActivation,
  taskId: string,
  removals: PlannedRemovals | null,
): Promise<Accepted> {
  const { scope, software, pxe, pull, srl } = activation
  const wakeAt = activation.wakeAt === 'now' ? sql`now()` : sql`${activation.wakeAt}::timestamptz`
  const limits = toLimitColumns({ removals, approvedContent: activation.approvedContent ?? null })
  const { rows } = await sql<Accepted>`
    with scope as materialized (
      select array_agg(id order by id) as computer_ids, count(*)::integer as computer_count,
        (count(*) - count(mac_key))::integer as without_mac_address
      from computers where id in (${scope.computers})
    ), inserted as (
      insert into sliced_activations (task_id, software, pxe, pull, is_global, wake_at, power_action, timeout_minutes,
        reminder_minutes, user_deadline, computer_ids, computer_count, removal_computer_ids,
        removal_package_ids, approved_content)
      select ${taskId}::uuid, ${software}::boolean, ${pxe}::boolean, ${pull}::boolean, ${scope.isGlobal}::boolean, ${wakeAt},
        ${srl?.action ?? null}::text, ${srl?.timeoutMinutes ?? null}::integer, ${srl?.reminderMinutes ?? null}::integer,
        ${srl?.userDeadline ? JSON.stringify(srl.userDeadline) : null}::jsonb, coalesce(computer_ids, '{}'), computer_count, ${limits.removal_computer_ids}::integer[],
        ${limits.removal_package_ids}::uuid[], ${limits.approved_content}::text[]
      from scope
      returning wake_at
    )
    select computer_count as "computerCount", without_mac_address as "withoutMacAddress", wake_at as "wakeAt"
    from scope, inserted`.execute(db)
  const [accepted] = rows
  if (!accepted) throw new Error('A count without a group has one row.')
  return accepted
}

/** Whether any computer that the activation wakes has a MAC address. */
async function canWakeAny(db: Database, { scope, software, pull }: Activation): Promise<boolean> {
  const { rows } = await sql`
    select from computers
    where mac_key is not null and id in (${software || pull ? scope.computers : activatedByPxe(scope)})
    limit 1`.execute(db)
  return rows.length > 0
}

/** Only computers that can boot their image are activated for PXE; others may be activated already. */
const activatedByPxe = (scope: ActivationScope) => sql`
  select computer_id from (${bootableComputers(scope)}) as bootable
  union select computer_id from activations where computer_id in (${scope.computers})`
