import { sql } from 'kysely'
import type { Database } from '../../../database/connect.ts'
import { deleteNeedlessWakeUps, withdrawUnjustifiedWork } from '../../work-states/withdraw-work.ts'
import { type Deactivation, lockScope } from './activation-scope.ts'
import { type WaitingSlice, withdrawComputers } from './withdraw-computers.ts'

/**
 * Clears activation bits and cancels the open work that nothing justifies any more. The caller has locked the slices that
 * still have to create work for the computers.
 */
export async function deactivate(db: Database, deactivation: Deactivation, slices: readonly WaitingSlice[]) {
  const { scope } = deactivation
  const { computerCount } = await lockScope(db, scope)
  await withdrawComputers(db, slices, deactivation)
  await clearBits(db, deactivation)
  // Each work item is looked up by indexes, however many computers the scope has.
  await sql`set local enable_nestloop = on`.execute(db)
  const computers = sql<{ computer_id: number }>`select owner_id as computer_id from (${scope.computers}) as scope`
  const cancelledWork = await withdrawUnjustifiedWork(db, { computers }, { reason: 'Deactivated' })
  await deleteNeedlessWakeUps(db, { computers })
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
