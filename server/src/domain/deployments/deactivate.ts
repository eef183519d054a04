import { sql } from 'kysely'
import type { Database } from '../../database/connect.ts'
import type { Bits } from './activate.ts'
import { type ActivationScope, followPxeBits, holdScope } from './activation-scope.ts'
import { cancelling } from './cancel-work.ts'
import { belongsTo } from './due-work.ts'

export type Deactivation = Bits & { scope: ActivationScope }

/** Takes back what was published and still waits; what an agent has goes on. */
export async function deactivate(db: Database, deactivation: Deactivation) {
  const { scope } = deactivation
  const { computerCount } = await holdScope(db, scope)
  await clearBits(db, deactivation)
  const cancelledWork = await cancelUnpublished(db, deactivation)
  await sql`
    delete from wake_requests
    where sent_at is null and computer_id in (${scope.computers})
      and not exists (select from activations a where a.computer_id = wake_requests.computer_id)`.execute(db)
  if (deactivation.pxe) await followPxeBits(db, scope)
  return { computerCount, cancelledWork }
}

async function clearBits(db: Database, { scope, software, pxe, pull }: Deactivation): Promise<void> {
  const covered = scope.isGlobal
    ? sql`computer_id in (${scope.computers})`
    : sql`(computer_id, group_id) in (select computer_id, group_id from (${scope.memberships}) as memberships)`
  const left = sql`
    (software and not ${software}::boolean) as software, (pxe and not ${pxe}::boolean) as pxe,
    (pull and not ${pull}::boolean) as pull`
  await sql`
    with remaining as materialized (
      select id, ${left} from activations where ${covered}
    ), gone as (
      delete from activations where id in (select id from remaining where not (software or pxe or pull))
    )
    update activations set software = remaining.software, pxe = remaining.pxe, pull = remaining.pull
    from remaining
    where activations.id = remaining.id and (remaining.software or remaining.pxe or remaining.pull)`.execute(db)
}

/** Cancels waiting work of the bits that no group brings any more for which they are still set. */
async function cancelUnpublished(db: Database, { scope, software, pxe, pull }: Deactivation): Promise<number> {
  const isBrought = (bit: 'software' | 'pxe') => sql`
    exists (
      select from activations a
        join group_computers member on member.computer_id = a.computer_id and member.group_id = a.group_id
        join group_ancestors above on above.descendant_id = a.group_id and above.ancestor_id = work.group_id
      where a.computer_id = work.computer_id and a.${sql.ref(bit)})`
  const isSet = (bits: string) => sql`
    exists (select from activations a where a.computer_id = work.computer_id and ${sql.raw(bits)})`
  const unpublished = [
    // What computers do at the end goes with the last of their activations.
    sql`work.kind = 'Power' and not ${isSet('true')}
      and exists (select from tasks where tasks.id = work.task_id and tasks.kind = 'Activation')`,
    ...(pull ? [sql`work.kind = 'Refresh' and not ${isSet('a.pull')}`] : []),
    ...(software ? [sql`p.id is not null and ${belongsTo.software} and not ${isBrought('software')}`] : []),
    ...(pxe
      ? [
          sql`p.id is not null and ${belongsTo.pxe}
          and not case when work.kind = 'OperatingSystem' then ${isSet('a.pxe')} else ${isBrought('pxe')} end`,
        ]
      : []),
  ]
  const { rows } = await sql<{ count: number }>`
    with doomed as materialized (
      select work.id from work left join packages p on p.id = work.package_id
      where work.computer_id in (${scope.computers}) and work.state = 'Due' and work.reinstall_group_id is null
        and (${sql.join(
          unpublished.map((condition) => sql`(${condition})`),
          sql` or `,
        )})
      order by work.computer_id, work.package_id for update of work
    ), ${cancelling(sql`select id from doomed`)}
    select count(*)::integer as count from cancelled`.execute(db)
  return rows[0]?.count ?? 0
}
