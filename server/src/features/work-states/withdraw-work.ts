import { sql } from 'kysely'
import type { Database } from '../../database/connect.ts'
import { isApplicable } from './applicability.ts'
import type { Cancellation } from './cancel-reasons.ts'
import { cancelWorkCtes } from './cancel-work.ts'
import { endPxe } from './end-pxe.ts'
import { isAssigned, memberships, openWork, unjustifiedWork, type WorkScope, withPulled } from './justified-work.ts'
import { isOpenWork, workLockOrder } from './work-states.ts'

/**
 * Cancels the open work that nothing justifies any more, and settles the deployments of packages that are not assigned or
 * not applicable any more: on such a computer, nothing has failed and nothing is pending.
 *
 * Every change that ends a justification calls it, in its transaction and after the change. An agent that has such work
 * learns of it when it reports progress; it completes what it has begun, and its result is recorded as a fact.
 *
 * Computers are pinned, and then their work is locked: the caller has locked nothing that comes later in the lock order.
 * Returns the number of work items.
 */
export async function withdrawUnjustifiedWork(
  db: Database,
  scope: WorkScope,
  cancellation: Cancellation,
): Promise<number> {
  if (!(await hasUnsettled(db, scope))) return 0
  const computerIds = await pinAffectedComputers(db, scope)
  if (computerIds.length === 0) return 0
  const affected = sql<{ computer_id: number }>`select unnest(${computerIds}::integer[]) as computer_id`
  // An activation for PXE is for one installation, and packages that run before it follow.
  await endPxe(db, unjustifiedInstallations(affected))
  const { rows } = await sql<{ reinstall_group_id: string | null }>`
    with obsolete as materialized (
      select work.id from work
      where work.id = any(array(
        select id from (${unjustifiedWork({ ...scope, computers: affected })}) as unjustified))
        and ${isOpenWork('work.state')}
      order by ${workLockOrder('work')} for update
    ), ${cancelWorkCtes(sql`select id from obsolete`, cancellation)}
    select reinstall_group_id from cancelled`.execute(db)
  await settleEnded(db, { ...scope, computers: affected })
  const reinstalls = rows.flatMap(({ reinstall_group_id }) => reinstall_group_id ?? [])
  if (reinstalls.length > 0)
    await sql`delete from reinstall_groups where group_id = any(${reinstalls}::uuid[])`.execute(db)
  return rows.length
}

const unjustifiedInstallations = (computers: WorkScope['computers']) => sql<{ computer_id: number }>`
  select unjustified.computer_id
  from (${unjustifiedWork({ computers })}) as unjustified join work on work.id = unjustified.id
  where work.kind = 'OperatingSystem'`

/**
 * Whether there is anything that may have lost its justification. Mostly there is nothing, and then this statement is all:
 * planning the others takes some ten times as long as this one.
 */
async function hasUnsettled(db: Database, scope: WorkScope): Promise<boolean> {
  const { rows } = await sql<{ exists: boolean }>`
    select exists (select from ${openWork(scope)}) or exists (select from ${unsettledDeployments(scope)}) as exists`.execute(
    db,
  )
  return rows[0]?.exists ?? false
}

/** Pins the computers with something to withdraw. */
async function pinAffectedComputers(db: Database, scope: WorkScope): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select id from computers
    where id = any(array(
      select computer_id from (${unjustifiedWork(scope)}) as unjustified
      union select computer_id from (${endedDeployments(scope)}) as unsettled))
    order by id for key share`.execute(db)
  return rows.map(({ id }) => id)
}

/** Deployments that failed or are pending, of packages that no group assigns to the computer, or that are not for it. */
function endedDeployments(scope: WorkScope) {
  return sql<{ computer_id: number; package_id: string }>`
    select unsettled.computer_id, unsettled.package_id
    from ${unsettledDeployments(scope)}
      join packages on packages.id = unsettled.package_id
      join computer_platforms platform on platform.computer_id = unsettled.computer_id
    where not ${isApplicable('packages', 'platform')} or not ${isAssigned('unsettled', memberships)}`
}

/** Deployments in a scope that failed or are pending, as `unsettled`. */
const unsettledDeployments = ({ computers, packages }: WorkScope) => sql`(${computers}) as scope
      cross join lateral (
        select computer_id, package_id from deployments
        where deployments.computer_id = scope.computer_id
          and (deployments.status = 'Failed' or deployments.status = 'Pending' and installation_state <> 'Installed')
          ${packages ? sql`and deployments.package_id = any(array(${withPulled(packages)}))` : sql``}
        offset 0
      ) as unsettled`

/** What is installed stays known, without a result. Of what is not installed, only the history says more. */
async function settleEnded(db: Database, scope: WorkScope): Promise<void> {
  await sql`
    with unsettled as materialized (
      select deployments.computer_id, deployments.package_id, deployments.installation_state = 'Installed' as is_installed
      from deployments join (${endedDeployments(scope)}) as ended
        on ended.computer_id = deployments.computer_id and ended.package_id = deployments.package_id
      order by deployments.computer_id, deployments.package_id for update of deployments
    ), deleted as (
      delete from deployments using unsettled
      where deployments.computer_id = unsettled.computer_id and deployments.package_id = unsettled.package_id
        and not unsettled.is_installed
    )
    update deployments set result = null, failed_at = null, error_text = null
    from unsettled
    where deployments.computer_id = unsettled.computer_id and deployments.package_id = unsettled.package_id
      and unsettled.is_installed`.execute(db)
}

/** Deletes wake-ups of computers that are not activated any more. One that is locked is being sent. */
export async function deleteNeedlessWakeUps(db: Database, { computers }: Pick<WorkScope, 'computers'>): Promise<void> {
  await sql`
    delete from wake_requests where id = any(array(
      select id from wake_requests
      where sent_at is null and computer_id in (${computers})
        and not exists (select from activations a where a.computer_id = wake_requests.computer_id)
      order by id for update skip locked))`.execute(db)
}
