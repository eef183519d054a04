import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../database/connect.ts'
import { preparedStatement } from '../../database/prepared-statements.ts'
import { nearestFirst } from '../assignments/effective-assignments.ts'
import { cancelling } from '../deployments/cancel-work.ts'
import { effectivePackages } from '../deployments/effective-packages.ts'
import { distributionCommands } from '../distribution/commands.ts'
import { effectiveOptions } from '../distribution/effective-options.ts'
import { releasedMissingPatches } from '../patches/missing-patches.ts'

const { Install, Update, Uninstall, Reinstall } = distributionCommands
const actions = Install | Update | Uninstall | Reinstall

/** A scan waits for the window of the schedule; an emergency does not. */
export type RemediationCause = 'Scan' | 'Emergency'

type Stand = { waits: boolean; lacks: boolean }

/**
 * Makes the fix package due on those of the computers that lack a patch which is released to them; of several fix
 * packages the nearest. Which patches it installs is read when it is handed out. Fixes that wait for nothing any more are
 * cancelled. `computers` selects `owner_id`.
 */
export async function remediate(db: Database, computers: RawBuilder<unknown>, cause: RemediationCause): Promise<void> {
  const { rows } = await stand(computers).execute(db)
  await act(db, computers, cause, rows[0])
}

/** The same for a computer that was scanned, which happens often. */
export async function remediateScanned(db: Database, computerId: number): Promise<void> {
  const [found] = await standOfOne(db, computerId)
  await act(db, computersOf([computerId]), 'Scan', found)
}

/** Whether anything is to be done at all, which is dear to find out in one go with doing it. */
function stand(computers: RawBuilder<unknown>): RawBuilder<Stand> {
  return sql<Stand>`
    select exists (${waitingFixes(computers)}) as waits, exists (${releasedMissingPatches(computers)}) as lacks`
}

const standOfOne = preparedStatement((db, computerId: number) =>
  stand(sql`select ${computerId}::integer as owner_id`).compile(db),
)

async function act(
  db: Database,
  computers: RawBuilder<unknown>,
  cause: RemediationCause,
  { waits, lacks }: Stand = { waits: true, lacks: true },
): Promise<void> {
  if (waits) await withdrawFixes(db, computers)
  if (waits && cause === 'Emergency') await hastenFixes(db, computers)
  if (lacks) await makeDue(db, computers, cause)
}

async function makeDue(db: Database, computers: RawBuilder<unknown>, cause: RemediationCause): Promise<void> {
  const isEmergency = sql`${cause === 'Emergency'}::boolean`
  await sql`
    with lacking as materialized (
      select distinct computer_id from (${releasedMissingPatches(computers)}) as released
    ), fixes as materialized (${fixPackages(sql`select computer_id as owner_id from lacking`)}
    ), options as materialized (
      ${effectiveOptions(sql`select distinct group_id, package_id from fixes`)}
    ), due as materialized (
      select fixes.computer_id, fixes.package_id, fixes.group_id, options.revoke_count, options.revoke_date,
        options.dist_commands & ~${actions}::integer | ${Install}::integer as commands,
        case when ${isEmergency} then '' else options.schedule end as schedule
      from fixes join options on options.group_id = fixes.group_id and options.package_id = fixes.package_id
      where options.dist_commands & ${Uninstall}::integer = 0
        and not exists (
          select from work open where open.computer_id = fixes.computer_id and open.package_id = fixes.package_id
            and open.state in ('Due', 'Leased'))
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
        revoke_date)
      select computer_id, package_id, task.id, 'Install', commands, group_id, schedule,
        case when schedule <> '' then now() end, revoke_count, revoke_date
      from due, task
      order by computer_id, package_id
      on conflict (computer_id, package_id) where state in ('Due', 'Leased') and package_id is not null do nothing
      returning computer_id, package_id
    ), told as (
      insert into distribution_events (computer_id, package_id, result, classification, install_mode)
      select computer_id, package_id, 'Pending', case when ${isEmergency} then 'Request' else 'Report' end, 'Install'
      from made
    )
    insert into deployments (computer_id, package_id, pending_since)
    select computer_id, package_id, now() from made order by computer_id, package_id
    on conflict on constraint deployments_pkey do update
      set pending_since = coalesce(deployments.pending_since, excluded.pending_since)`.execute(db)
}

/** The fix package of each computer that has one. */
export function fixPackages(computers: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`
    select distinct on (computer_id) computer_id, package_id, group_id
    from (
      select effective.* from (${effectivePackages(computers)}) as effective
        join packages on packages.id = effective.package_id and packages.kind = 'PatchFix'
    ) as fixes
    order by computer_id, ${nearestFirst}, package_id`
}

/** Cancels the fixes of computers for which no patch is released any more. What an agent has already goes on. */
export async function withdrawFixes(db: Database, computers: RawBuilder<unknown>): Promise<void> {
  await sql`
    with waiting as materialized (
      ${waitingFixes(computers)}
    ), needed as materialized (
      select computer_id from (${releasedMissingPatches(sql`select distinct computer_id as owner_id from waiting`)}) as released
    ), doomed as materialized (
      select work.id from work join waiting on waiting.id = work.id
      where work.state = 'Due' and work.computer_id not in (select computer_id from needed)
      order by work.computer_id, work.package_id for update of work
    ), ${cancelling(sql`select id from doomed`)}
    select from cancelled`.execute(db)
}

/** What waits for its window begins at once. */
async function hastenFixes(db: Database, computers: RawBuilder<unknown>): Promise<void> {
  await sql`
    with waiting as materialized (
      select work.id from work join (${waitingFixes(computers)}) as fix on fix.id = work.id
      where work.state = 'Due' order by work.computer_id, work.package_id for update of work
    )
    update work set schedule = '', window_ends_at = null, not_before = now()
    from waiting where work.id = waiting.id`.execute(db)
}

/** Work of fix packages that scans and emergencies made, and that no agent has yet. */
function waitingFixes(computers: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`
    select work.id, work.computer_id from work join tasks on tasks.id = work.task_id and tasks.kind = 'Remediation'
    where work.state = 'Due' and work.computer_id in (${computers})`
}

/** Computers with a fix that waits, among those that lack a patch of the PM group: they may wait for nothing soon. */
export async function computersAwaiting(db: Database, pmGroupId: number): Promise<number[]> {
  const lacking = sql`
    select missing.computer_id
    from pm_group_patches listed
      join computer_patches missing on missing.patch_id = listed.patch_id and missing.product_id = listed.product_id
    where listed.pm_group_id = ${pmGroupId} and missing.is_missing`
  const { rows } = await sql<{ computer_id: number }>`
    select distinct computer_id from (${waitingFixes(lacking)}) as waiting`.execute(db)
  return rows.map(({ computer_id }) => computer_id)
}

/** Computers of known ids, as a query. */
export const computersOf = (ids: readonly number[]) => sql`select unnest(${ids}::integer[]) as owner_id`
