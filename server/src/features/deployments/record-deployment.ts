import { sql } from 'kysely'
import type { Database } from '../../database/connect.ts'
import { eventSource, insertDistributionEvents } from '../work-states/distribution-events.ts'
import type { WorkItem } from './work-items.ts'

export type InstallationState = 'Installed' | 'NotInstalled' | 'Uninstalled'

/**
 * Records what is installed of the package of a work item after the agent has reported. `Success` also ends the pending
 * deployment; `keep` leaves its result as it was. If the package is installed now, its other versions and what it
 * supersedes no longer are.
 */
export async function recordInstallation(
  db: Database,
  item: WorkItem,
  state: InstallationState,
  result: 'Success' | 'keep',
): Promise<void> {
  if (item.package_id === null) return
  const isInstalled = state === 'Installed'
  if (isInstalled) await replaceInstalled(db, item, item.package_id)
  const hash = isInstalled ? item.content_hash : null
  const installedAt = isInstalled ? sql`now()` : sql`null`
  const resultColumns =
    result === 'keep'
      ? sql``
      : sql`, result = 'Success', pending_since = null, current_mode = ${item.commands}, failed_at = null, error_text = null`
  await sql`
    insert into deployments (computer_id, package_id, result, current_mode, installation_state, installed_hash, installed_at)
    values (${item.computer_id}, ${item.package_id}, ${result === 'keep' ? null : result},
      ${result === 'keep' ? 0 : item.commands}, ${state}, ${hash}, ${installedAt})
    on conflict on constraint deployments_pkey do update
      set installation_state = excluded.installation_state, installed_hash = excluded.installed_hash,
        installed_at = excluded.installed_at ${resultColumns}`.execute(db)
}

async function replaceInstalled(db: Database, item: WorkItem, packageId: string): Promise<void> {
  // All rows are locked in the order of their packages before any is changed: other writers use the same order.
  await sql`
    with versions as (
      select d.computer_id, d.package_id, d.installation_state from deployments d
        join packages p on p.id = d.package_id
      where d.computer_id = ${item.computer_id} and (p.line_key = (select line_key from packages where id = ${packageId})
        or lower(p.package_name) in (
          select lower(superseded_name) from package_supersedes superseded where superseded.package_id = ${packageId}))
      order by d.package_id
      for update of d
    ), replaced as (
      update deployments d set installation_state = 'NotInstalled', installed_hash = null, installed_at = null
      from versions v
      where d.computer_id = v.computer_id and d.package_id = v.package_id and v.package_id <> ${packageId}
        and v.installation_state = 'Installed'
      returning d.computer_id, d.package_id
    )
    ${insertDistributionEvents({
      from: sql`replaced order by package_id`,
      result: 'Success',
      classification: 'Dependency',
      installMode: item.kind,
    })}`.execute(db)
}

/** Records that the last work with the package failed. A `state` of null leaves the installation state as it was. */
export async function recordFailure(
  db: Database,
  { computer_id, package_id }: WorkItem,
  errorText: string,
  state: InstallationState | null,
): Promise<void> {
  if (package_id === null) return
  const isRemoved = state === 'NotInstalled' || state === 'Uninstalled'
  await sql`
    insert into deployments as d (computer_id, package_id, result, installation_state, failed_at, error_text)
    values (${computer_id}, ${package_id}, 'Failed', coalesce(${state}, 'None'), now(), ${errorText})
    on conflict on constraint deployments_pkey do update
      set result = 'Failed', pending_since = null, failed_at = now(), error_text = excluded.error_text,
        installation_state = coalesce(${state}, d.installation_state),
        installed_hash = case when not ${isRemoved} then d.installed_hash end,
        installed_at = case when not ${isRemoved} then d.installed_at end`.execute(db)
}

/** Keeps what a failed command printed, for the setup error log of the computer. */
export async function recordSetupError(
  db: Database,
  item: WorkItem,
  { exitCode, commandLine, output }: { exitCode: number | null; commandLine: string | null; output: string },
): Promise<void> {
  await db
    .insertInto('setup_errors')
    .values({
      computer_id: item.computer_id,
      package_id: item.package_id,
      work_id: item.id,
      attempt: item.attempt,
      // Windows reports unsigned codes; the column is signed.
      exit_code: exitCode === null ? null : exitCode | 0,
      command_line: commandLine,
      output,
    })
    .execute()
}

/** Adds the result of a work item to the history of its package, for a fix package after that of each patch. */
export async function recordReportEvent(
  db: Database,
  { computer_id, package_id, kind, patch_ids }: WorkItem,
  result: 'Success' | 'Failed',
  commandLine: string | null,
): Promise<void> {
  if (package_id === null) return
  if (patch_ids !== null)
    await insertDistributionEvents({
      from: patchEventSource({ computer_id, package_id, patch_ids }, result),
      result: sql.ref('patch_result'),
      classification: 'Report',
      installMode: kind,
      info: commandLine,
      kbNumber: sql.ref('kb_number'),
    }).execute(db)
  await insertDistributionEvents({
    from: eventSource(computer_id, package_id),
    result,
    classification: 'Report',
    installMode: kind,
    info: commandLine,
  }).execute(db)
}

type PatchedItem = { computer_id: number; package_id: string; patch_ids: readonly number[] }

/**
 * One row for each patch of a fix. The agent scans before it reports, so a patch that is no longer missing was installed
 * even if the fix as a whole failed. A number that only a scan has reported is not used: any agent can report it.
 */
function patchEventSource({ computer_id, package_id, patch_ids }: PatchedItem, result: 'Success' | 'Failed') {
  return sql`(
    select ${computer_id}::integer as computer_id, ${package_id}::uuid as package_id,
      coalesce(case when not patches.is_known_by_scan_only then patches.q_number end, (
        select min(scanned.reported_key) from computer_patches scanned
        where scanned.computer_id = ${computer_id} and scanned.patch_id = patches.id), patches.key) as kb_number,
      case when exists (
        select from computer_patches scanned
        where scanned.computer_id = ${computer_id} and scanned.patch_id = patches.id and scanned.is_missing)
        then ${sql.lit(result)} else 'Success' end as patch_result
    from patches where patches.id = any(${patch_ids}::integer[]) order by patches.id) as subject`
}
