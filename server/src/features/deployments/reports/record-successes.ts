import { type RawBuilder, sql } from 'kysely'
import { preparedStatement } from '../../../database/prepared-statements.ts'
import { lockAgentsCtes } from '../../agents/lock-agent.ts'
import { closeWork } from '../../work-states/close-work.ts'
import { insertDistributionEvents } from '../../work-states/distribution-events.ts'
import { workLockOrder } from '../../work-states/work-states.ts'
import type { InstallationState } from '../record-deployment.ts'

/** A reported result, under the names of the columns. */
export type ReportedResultRow = {
  client_id: number
  work_id: number
  attempt: number
  is_success: boolean
  /** Null: it follows from the kind of the work. */
  installation_state: InstallationState | null
  command_line: string | null
  is_reboot_required: boolean
}

/** Recorded: the success is recorded. Locked: somebody has locked the computer or the work item. */
export type SharedOutcome = { client_id: number; work_id: number; outcome: 'Recorded' | 'Locked' }

/**
 * Records the successes among the results of many agents in one statement, and returns which. It does what `recordResult`
 * does, for the common case, and never waits for a lock. What it does not return is left to `recordResult`: failures,
 * reports that are repeated or late, fixes, reinstalls, trials, and packages that replace another version or
 * another package.
 */
export const recordRunSuccesses = preparedStatement((db, reports: string) =>
  sql<SharedOutcome>`
    with reported as materialized (
      select * from jsonb_to_recordset(${reports}::jsonb) as report(client_id integer, work_id bigint, attempt integer,
        is_success boolean, installation_state text, command_line text, is_reboot_required boolean)
    ), ${lockAgentsCtes(sql`select client_id from reported`)}, item as materialized (
      -- An array, unlike a join, lets the planner use the primary key whatever it believes about the size of the table.
      select w.id, w.computer_id, w.package_id, w.kind, w.commands, w.content_hash,
        w.reinstall_group_id is null and w.patch_ids is null and w.kind <> 'Trial' and reported.is_success as is_ordinary,
        reported.installation_state, reported.command_line, reported.is_reboot_required
      from work w join reported on reported.work_id = w.id and reported.client_id = w.computer_id
      where w.id = any(array(select work_id from reported where client_id in (select computer_id from locked_agent)))
        and w.state = 'Leased' and w.attempt = reported.attempt
      order by ${workLockOrder('w')} for update of w skip locked
    ), ordinary as materialized (${ordinaryItems}
    ), locked_deployment as materialized (
      select d.computer_id, d.package_id
      from ordinary join deployments d on d.computer_id = ordinary.computer_id and d.package_id = ordinary.package_id
      order by d.computer_id, d.package_id for update of d skip locked
    ), success as materialized (
      select * from ordinary
      where package_id is null or (computer_id, package_id) in (select computer_id, package_id from locked_deployment)
        or not exists (
          select from deployments d where d.computer_id = ordinary.computer_id and d.package_id = ordinary.package_id)
    ), closed as (
      ${closeWork('Success', 'Agent', sql`from success where work.id = success.id`)}
    ), deployed as (${upsertDeployments}
    ), reported_event as (
      ${insertDistributionEvents({
        from: sql`success where package_id is not null order by computer_id, package_id`,
        result: 'Success',
        classification: 'Report',
        installMode: sql.ref('kind'),
        info: sql.ref('command_line'),
      })}
    ), reboot as (
      update agents set is_reboot_required = true, reboot_required_source = source.name, state_changed_at = now()
      from (
        select distinct on (computer_id) computer_id, name from success where is_reboot_required order by computer_id, id
      ) as source
      where agents.computer_id = source.computer_id and not agents.is_reboot_required
    )
    select computer_id as client_id, id as work_id, 'Recorded' as outcome from success
    union all
    select client_id, work_id, 'Locked' from reported where client_id not in (select computer_id from locked_agent)
    union all
    select w.computer_id, w.id, 'Locked' from work w join reported on reported.work_id = w.id
    where w.id = any(array(select work_id from reported where client_id in (select computer_id from locked_agent)))
      and w.computer_id = reported.client_id and w.state = 'Leased' and w.attempt = reported.attempt
      and w.id not in (select id from item)`.compile(db),
)

/** The items whose success changes nothing but their own rows. */
const ordinaryItems: RawBuilder<unknown> = sql`
  select named.*,
    coalesce(named.installation_state, case named.kind when 'Uninstall' then 'Uninstalled' else 'Installed' end) as new_state
  from (
    select item.*, p.name, p.line_key, p.kind as package_kind, coalesce(item.content_hash, p.content_hash) as hash,
      count(*) over (partition by item.computer_id, coalesce(p.line_key, item.id::text)) as versions
    from item left join packages p on p.id = item.package_id
  ) as named
  where named.is_ordinary and named.versions = 1 and named.package_kind is distinct from 'PatchFix'
    and not exists (select from package_supersedes replacing where replacing.package_id = named.package_id) and not exists (
    select from deployments other
    where other.computer_id = named.computer_id and other.installation_state = 'Installed'
      and other.package_id = any(array(
        select version.id from packages version
        where version.line_key = named.line_key and version.id <> named.package_id)))`

const upsertDeployments: RawBuilder<unknown> = sql`
  insert into deployments (computer_id, package_id, result, current_mode, installation_state, installed_hash, installed_at)
  select computer_id, package_id, 'Success', commands, new_state, case new_state when 'Installed' then hash end,
    case new_state when 'Installed' then now() end
  from success where package_id is not null order by computer_id, package_id
  on conflict on constraint deployments_pkey do update
    set installation_state = excluded.installation_state, installed_hash = excluded.installed_hash,
      installed_at = excluded.installed_at, result = 'Success', pending_since = null,
      current_mode = excluded.current_mode, failed_at = null, error_text = null`
