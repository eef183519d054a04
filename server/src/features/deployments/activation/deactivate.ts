import { sql } from 'kysely'
import type { Database } from '../../../database/connect.ts'
import { workLockOrder } from '../../work-states/work-states.ts'
import { cancelWorkCtes } from '../cancel-work.ts'
import { type Deactivation, lockScope } from './activation-scope.ts'
import { belongsToBit } from './due-work.ts'
import { type WaitingSlice, withdrawComputers } from './withdraw-computers.ts'

/**
 * Clears activation bits and cancels the work that still waits for an agent. Leased work continues. The caller has locked
 * the slices that still have to create work for the computers.
 */
export async function deactivate(db: Database, deactivation: Deactivation, slices: readonly WaitingSlice[]) {
  const { scope } = deactivation
  const { computerCount } = await lockScope(db, scope)
  await withdrawComputers(db, slices, deactivation)
  await clearBits(db, deactivation)
  const cancelledWork = await cancelUnpublishedWork(db, deactivation)
  await sql`
    delete from wake_requests where id = any(array(
      select id from wake_requests
      where sent_at is null and computer_id in (${scope.computers})
        and not exists (select from activations a where a.computer_id = wake_requests.computer_id)
      -- One that is locked is being sent.
      order by id for update skip locked))`.execute(db)
  return { computerCount, cancelledWork }
}

async function clearBits(db: Database, { scope, software, pxe, pull }: Deactivation): Promise<void> {
  const isCovered = scope.isGlobal
    ? sql`computer_id in (${scope.computers})`
    : sql`(computer_id, group_id) in (select computer_id, group_id from (${scope.memberships}) as memberships)`
  const remainingBits = sql`
    (software and not ${software}::boolean) as software, (pxe and not ${pxe}::boolean) as pxe,
    (pull and not ${pull}::boolean) as pull`
  await sql`
    with remaining as materialized (
      select id, ${remainingBits} from activations where ${isCovered}
      order by computer_id, group_id for update
    ), deleted as (
      delete from activations where id in (select id from remaining where not (software or pxe or pull))
    )
    update activations set software = remaining.software, pxe = remaining.pxe, pull = remaining.pull
    from remaining
    where activations.id = remaining.id and (remaining.software or remaining.pxe or remaining.pull)`.execute(db)
}

/**
 * Cancels waiting work of the cleared bits, unless a group that is still activated assigns it. Returns the number of
 * work items.
 */
async function cancelUnpublishedWork(db: Database, { scope, software, pxe, pull }: Deactivation): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    with remaining as materialized (
      select computer_id, group_id, software, pxe, pull from activations where computer_id in (${scope.computers})
    ), bits as materialized (
      select computer_id, bool_or(pxe) as pxe, bool_or(pull) as pull from remaining group by computer_id
    ), published as materialized (
      select remaining.computer_id, above.ancestor_id, bool_or(remaining.software) as software, bool_or(remaining.pxe) as pxe
      from remaining
        join group_computers member
          on member.computer_id = remaining.computer_id and member.group_id = remaining.group_id
        join group_ancestors above on above.descendant_id = remaining.group_id
      group by remaining.computer_id, above.ancestor_id
    ), obsolete as materialized (
      select work.id
      from work
        join tasks on tasks.id = work.task_id
        left join packages p on p.id = work.package_id
        left join bits on bits.computer_id = work.computer_id
        left join published on published.computer_id = work.computer_id and published.ancestor_id = work.group_id
      where work.computer_id in (${scope.computers}) and work.state = 'Due' and work.reinstall_group_id is null
        and case
          -- The final power action is cancelled with the last activation of the computer.
          when work.kind = 'Power' then bits.computer_id is null and tasks.kind = 'Activation'
          when work.kind = 'Refresh' then ${pull}::boolean and bits.pull is not true
          when work.kind = 'OperatingSystem' then ${pxe}::boolean and bits.pxe is not true
          when ${belongsToBit('pxe', 'work', 'p')} then ${pxe}::boolean and published.pxe is not true
          else ${software}::boolean and published.software is not true end
      order by ${workLockOrder('work')} for update of work
    ), ${cancelWorkCtes(sql`select id from obsolete`)}
    select count(*)::integer as count from cancelled`.execute(db)
  return rows[0]?.count ?? 0
}
