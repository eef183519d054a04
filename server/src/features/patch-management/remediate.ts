import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../database/connect.ts'
import { preparedStatement } from '../../database/prepared-statements.ts'
import { nearestFirst } from '../assignments/effective-assignments.ts'
import { effectivePackages } from '../assignments/effective-packages.ts'
import { distributionCommands, isOptionalSql } from '../distribution/commands.ts'
import { effectiveOptions } from '../distribution/effective-options.ts'
import { computersToFix } from '../patches/computers-to-fix.ts'
import { isApplicable } from '../work-states/applicability.ts'
import { cancelWorkCtes } from '../work-states/cancel-work.ts'
import { insertDistributionEvents } from '../work-states/distribution-events.ts'
import { isOpenWork, workLockOrder } from '../work-states/work-states.ts'

const { Install, Update, Uninstall, Reinstall } = distributionCommands
const actions = Install | Update | Uninstall | Reinstall

/** Work caused by a scan waits for the window of its schedule; work caused by an emergency does not. */
export type RemediationCause = 'Scan' | 'Emergency'

type Computers = RawBuilder<{ owner_id: number }>

type FixPackage = { computer_id: number; package_id: string; group_id: string }

type FixNeeds = { hasWaitingWork: boolean; hasPatches: boolean }

/**
 * Inserts work for the fix package of each computer that lacks a patch released to it, or has one to roll back, and cancels
 * fix work that is no longer needed. Of several fix packages, the nearest one is used. Which patches the work installs is
 * decided when it is leased.
 */
export async function insertOrCancelFixWork(
  db: Database,
  computers: Computers,
  cause: RemediationCause,
): Promise<void> {
  const { rows } = await fixNeeds(computers).execute(db)
  await applyFixNeeds(db, computers, cause, rows[0])
}

/** Does the same for one computer after a scan, with a prepared statement because scans are frequent. */
export async function insertOrCancelFixWorkAfterScan(db: Database, computerId: number): Promise<void> {
  const [needs] = await computerFixNeeds(db, computerId)
  await applyFixNeeds(db, selectComputers([computerId]), 'Scan', needs)
}

/** Finds out first whether any work needs to change: the changing statements are expensive even if they change nothing. */
function fixNeeds(computers: Computers): RawBuilder<FixNeeds> {
  return sql<FixNeeds>`
    select exists (${waitingFixWork(computers)}) as "hasWaitingWork",
      exists (${computersToFix(computers)}) as "hasPatches"`
}

const computerFixNeeds = preparedStatement((db, computerId: number) =>
  fixNeeds(sql<{ owner_id: number }>`select ${computerId}::integer as owner_id`).compile(db),
)

async function applyFixNeeds(
  db: Database,
  computers: Computers,
  cause: RemediationCause,
  { hasWaitingWork, hasPatches }: FixNeeds = { hasWaitingWork: true, hasPatches: true },
): Promise<void> {
  if (hasWaitingWork) {
    await lockWaitingFixWork(db, computers)
    await cancelUnneededFixWork(db, computers)
  }
  if (hasWaitingWork && cause === 'Emergency') await rescheduleFixWorkToNow(db, computers)
  if (hasPatches) await insertFixWork(db, computers, cause)
}

async function insertFixWork(db: Database, computers: Computers, cause: RemediationCause): Promise<void> {
  const isEmergency = sql`${cause === 'Emergency'}::boolean`
  await sql`
    with lacking as materialized (
      ${computersToFix(computers)}
    ), fixes as materialized (${selectFixPackages(sql<{ owner_id: number }>`select computer_id as owner_id from lacking`)}
    ), options as materialized (
      ${effectiveOptions(sql`select distinct group_id, package_id from fixes`)}
    ), due as materialized (
      select fixes.computer_id, fixes.package_id, fixes.group_id, options.revoke_count, options.revoke_date,
        options.user_deadline,
        options.dist_commands & ~${actions}::integer | ${Install}::integer as commands,
        case when ${isEmergency} then '' else options.schedule end as schedule
      from fixes join options on options.group_id = fixes.group_id and options.package_id = fixes.package_id
      where options.dist_commands & ${Uninstall}::integer = 0
        and not exists (
          select from work open where open.computer_id = fixes.computer_id and open.package_id = fixes.package_id
            and ${isOpenWork('open.state')})
    ), task as (
      insert into tasks (kind, computer_id, package_id)
      select 'Remediation', case when count(*) = 1 then min(computer_id) end,
        case when count(distinct package_id) = 1 then min(package_id::text)::uuid end
      from due
      having count(*) > 0
      returning id
    ), made as (
      -- A window that counts as over is looked up at the next contact.
      insert into work (computer_id, package_id, task_id, kind, commands, group_id, schedule, window_ends_at, revoke_count,
        revoke_date, user_deadline)
      select computer_id, package_id, task.id, 'Install', commands, group_id, schedule,
        case when schedule <> '' then now() end, revoke_count, revoke_date, user_deadline
      from due, task
      order by computer_id, package_id
      on conflict (computer_id, package_id) where ${isOpenWork('state')} and package_id is not null do nothing
      returning computer_id, package_id, commands
    ), pending_events as (
      ${insertDistributionEvents({
        from: sql`made where not ${isOptionalSql('commands')}`,
        result: 'Pending',
        classification: cause === 'Emergency' ? 'Request' : 'Report',
        installMode: 'Install',
      })}
    )
    insert into deployments (computer_id, package_id, pending_since)
    select computer_id, package_id, now() from made where not ${isOptionalSql('commands')} order by computer_id, package_id
    on conflict on constraint deployments_pkey do update
      set pending_since = coalesce(deployments.pending_since, excluded.pending_since)`.execute(db)
}

/** Selects the nearest effective fix package that is for the computer, of each computer that has one. */
export function selectFixPackages(computers: Computers): RawBuilder<FixPackage> {
  return sql<FixPackage>`
    select distinct on (computer_id) computer_id, package_id, group_id
    from (
      select effective.* from (${effectivePackages(computers)}) as effective
        join packages on packages.id = effective.package_id and packages.kind = 'PatchFix'
        join computer_platforms platform on platform.computer_id = effective.computer_id
      where ${isApplicable('packages', 'platform')}
    ) as fixes
    order by computer_id, ${nearestFirst('fixes')}, package_id`
}

/** Cancels fix work on computers for which a fix package has nothing to do any longer. Leased work continues. */
export async function cancelUnneededFixWork(db: Database, computers: Computers): Promise<void> {
  await sql`
    with waiting as materialized (
      ${waitingFixWork(computers)}
    ), needed as materialized (
      ${computersToFix(sql<{ owner_id: number }>`select distinct computer_id as owner_id from waiting`)}
    ), doomed as materialized (
      select work.id from work join waiting on waiting.id = work.id
      where work.state = 'Due' and work.computer_id not in (select computer_id from needed)
      order by ${workLockOrder('work')} for update of work
    ), ${cancelWorkCtes(sql`select id from doomed`, { reason: 'NoPatchNeeded' })}
    select from cancelled`.execute(db)
}

/** Locks the work in one order before statements that each change a part of it. */
async function lockWaitingFixWork(db: Database, computers: Computers): Promise<void> {
  await sql`
    select from work join (${waitingFixWork(computers)}) as fix on fix.id = work.id
    order by ${workLockOrder('work')} for update of work`.execute(db)
}

/** Removes the window and the start time from waiting fix work. */
async function rescheduleFixWorkToNow(db: Database, computers: Computers): Promise<void> {
  await sql`
    with waiting as materialized (
      select work.id from work join (${waitingFixWork(computers)}) as fix on fix.id = work.id
      where work.state = 'Due' order by ${workLockOrder('work')} for update of work
    )
    update work set schedule = '', window_ends_at = null, not_before = now(), delayed_by = null
    from waiting where work.id = waiting.id`.execute(db)
}

/** Work that scans and emergencies inserted and that is not leased yet. */
function waitingFixWork(computers: Computers): RawBuilder<{ id: number; computer_id: number }> {
  return sql<{ id: number; computer_id: number }>`
    select work.id, work.computer_id from work join tasks on tasks.id = work.task_id and tasks.kind = 'Remediation'
    where work.state = 'Due' and work.computer_id in (${computers})`
}

/**
 * The computers with waiting fix work that lack a patch of the PM group. A change to the PM group may make this work
 * unneeded.
 */
export async function listComputersWithWaitingFix(db: Database, pmGroupId: number): Promise<number[]> {
  const lacking = sql<{ owner_id: number }>`
    select missing.computer_id as owner_id
    from pm_group_patches listed
      join computer_patches missing on missing.patch_id = listed.patch_id and missing.product_id = listed.product_id
    where listed.pm_group_id = ${pmGroupId} and missing.is_missing`
  const { rows } = await sql<{ computer_id: number }>`
    select distinct computer_id from (${waitingFixWork(lacking)}) as waiting`.execute(db)
  return rows.map(({ computer_id }) => computer_id)
}

/** Selects computers by their ids, for the functions of this file. */
export const selectComputers = (ids: readonly number[]): Computers =>
  sql<{ owner_id: number }>`select unnest(${ids}::integer[]) as owner_id`
