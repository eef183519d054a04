import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../../database/connect.ts'
import { isOptionalSql } from '../../distribution/commands.ts'
import { cancelWorkCtes } from '../../work-states/cancel-work.ts'
import { workLockOrder } from '../../work-states/work-states.ts'
import { type ActivationScope, activationsOf, executeInScope } from './activation-scope.ts'
import { assignedWork, belongsToBit, dueWork, identityColumns, optionColumns, type WorkBit } from './due-work.ts'
import type { DueOptions } from './reachable-options.ts'

/**
 * Cancels waiting work that is no longer due and updates the options of waiting work that still is. What a group outside
 * of the scope assigns keeps its options until that group is activated. Work that a user has
 * postponed, or that is retried after a failure, does not start earlier for it. One statement for all bits, because it
 * locks the work in one order. What becomes optional is not pending any more, and the other way round. What differs is found by
 * `except`, which is fast whatever the planner expects; mostly it is nothing.
 *
 * With `isBrought`, only work for which the scope assigns something now that meets this condition on `due` is revised; its kind is
 * null if nothing is to be done.
 */
export async function reviseWaitingWork(
  db: Database,
  scope: ActivationScope,
  bits: readonly WorkBit[],
  options: DueOptions,
  isBrought?: RawBuilder<boolean>,
): Promise<void> {
  if (bits.length === 0 || !(await hasWaitingWork(db, scope))) return
  const waitingComputers = sql<{ owner_id: number }>`select distinct computer_id as owner_id from waiting`
  const due = bits.map((bit) =>
    isBrought
      ? sql`select * from (${assignedWork(bit, waitingComputers, options, activationsOf(scope))}) as due where ${isBrought}`
      : sql`select * from (${dueWork(bit, waitingComputers, options)}) as due`,
  )
  const isPublished = isBrought ? sql`due.group_id is not null` : isPublishedOrEnded(scope)
  const belongsToBits = sql.join(
    bits.map((bit) => belongsToBit(bit, 'item', 'p')),
    sql` or `,
  )
  const revision = sql`
    with waiting as materialized (
      select item.*
      from ${waitingWork(scope)}
        join packages p on p.id = item.package_id and p.kind <> 'PatchFix'
      where ${belongsToBits}
    ), due as materialized (
      ${sql.join(due, sql` union all `)}
    ), differing as materialized (
      select computer_id, package_id, ${identityColumns}, ${optionColumns} from waiting
      except select computer_id, package_id, ${identityColumns}, ${optionColumns} from due
    ), changing as materialized (
      select work.id, (due.kind, due.boot_image_id, due.sku_id) is distinct from (work.kind, work.boot_image_id, work.sku_id)
          as is_obsolete, due.*,
        case when work.attempt = 0 and ${isOptionalSql('work.commands')} <> ${isOptionalSql('due.commands')}
          then ${isOptionalSql('due.commands')} end as becomes_offer
      from work
        left join due on due.computer_id = work.computer_id and due.package_id = work.package_id
      where work.id = any(array(select id from waiting join differing using (computer_id, package_id)))
        and work.state = 'Due' and ${isPublished}
      order by ${workLockOrder('work')} for update of work
    ), ${cancelWorkCtes(sql`select id from changing where is_obsolete`, { reason: 'NotDue' })}, changed_deployments as (
      insert into deployments (computer_id, package_id, pending_since)
      select computer_id, package_id, case when not becomes_offer then now() end from changing
      where not is_obsolete and becomes_offer is not null
      order by computer_id, package_id
      on conflict on constraint deployments_pkey do update set pending_since = excluded.pending_since
    )
    update work set
      group_id = changing.group_id, commands = changing.commands, schedule = changing.schedule,
      revoke_count = changing.revoke_count, revoke_date = changing.revoke_date, optional_date = changing.optional_date,
      user_deadline = changing.user_deadline, pre_download = changing.pre_download, is_brought = changing.is_brought,
      window_ends_at = case when work.schedule = changing.schedule then work.window_ends_at else changing.window_ends_at end,
      not_before = case
        when work.schedule = changing.schedule then work.not_before
        when work.attempt > 0 or work.postponements > 0
          then greatest(nullif(work.not_before, 'infinity'), changing.not_before)
        else changing.not_before end,
      delayed_by = case when work.schedule = changing.schedule or work.not_before > changing.not_before then work.delayed_by end
    from changing where work.id = changing.id and not changing.is_obsolete`
  await executeInScope(db, scope, revision)
}

/**
 * The waiting work in the scope, as `item`. Each computer by its index: the planner cannot know how much work of the packages has
 * been created since its statistics were made, and might read all of it.
 */
const waitingWork = ({ computers }: ActivationScope) => sql`(${computers}) as scope
        cross join lateral (
          select id, computer_id, package_id, ${identityColumns}, ${optionColumns} from work
          where computer_id = scope.owner_id and state = 'Due' and package_id is not null and reinstall_group_id is null
            and rolled_back_package_id is null and kind <> 'Trial'
          offset 0
        ) as item`

/** Mostly an activation finds none. Planning the revision takes some ten times as long as this statement. */
async function hasWaitingWork(db: Database, scope: ActivationScope): Promise<boolean> {
  const found = sql<{ exists: boolean }>`select exists (select from ${waitingWork(scope)}) as exists`
  const { rows } = await executeInScope(db, scope, found)
  return rows[0]?.exists ?? false
}

/** Whether the scope publishes what the group of a row of `due` assigns, or no group assigns anything that is due. */
function isPublishedOrEnded({ isGlobal, memberships }: ActivationScope): RawBuilder<boolean> {
  if (isGlobal) return sql<boolean>`true`
  return sql<boolean>`(due.group_id is null or exists (
    select from (${memberships}) as published
      join group_ancestors above on above.descendant_id = published.group_id
    where published.computer_id = due.computer_id and above.ancestor_id = due.group_id))`
}
