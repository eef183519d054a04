import { sql } from 'kysely'
import type { Database } from '../../database/connect.ts'
import { eventSource, insertDistributionEvents } from './distribution-events.ts'
import type { WorkItem } from './work-items.ts'

export type InstallationState = 'Installed' | 'NotInstalled' | 'Uninstalled'

/**
 * Records what is installed of the package of a work item after the agent has reported. `Success` also ends the pending
 * deployment; `keep` leaves its result as it was. If the package is installed now, its other versions no longer are.
 */
export async function recordInstallation(
  db: Database,
  item: WorkItem,
  state: InstallationState,
  result: 'Success' | 'keep',
): Promise<void> {
  if (item.package_id === null) return
  const isInstalled = state === 'Installed'
  if (isInstalled) await replaceOtherVersions(db, item, item.package_id)
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

async function replaceOtherVersions(db: Database, item: WorkItem, packageId: string): Promise<void> {
  // All rows are locked in the order of their packages before any is changed: other writers use the same order.
  await sql`
    with versions as (
      select d.computer_id, d.package_id, d.installation_state from deployments d
        join packages p on p.id = d.package_id
      where d.computer_id = ${item.computer_id} and lower(p.package_name) = lower(${item.package_name})
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

/** Adds the result of a work item to the history of its package. */
export async function recordReportEvent(
  db: Database,
  { computer_id, package_id, kind }: WorkItem,
  result: 'Success' | 'Failed',
  commandLine: string | null,
): Promise<void> {
  if (package_id === null) return
  await insertDistributionEvents({
    from: eventSource(computer_id, package_id),
    result,
    classification: 'Report',
    installMode: kind,
    info: commandLine,
  }).execute(db)
}
