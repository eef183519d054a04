import { type RawBuilder, sql } from 'kysely'
import type { Static } from '../../platform/schema.ts'
import { effectivePackages } from '../assignments/effective-packages.ts'
import { distributionCommands } from '../distribution/commands.ts'
import { effectiveOptions } from '../distribution/effective-options.ts'
import type { SoftwareDeployment } from './api/history/schemas.ts'
import { enforcedReinstall } from './request-reinstall.ts'

/** Masks of distribution commands, and where the assignment comes from; nulls without one. */
export type SoftwareDeploymentRow = Omit<
  Static<typeof SoftwareDeployment>,
  'desiredMode' | 'currentMode' | 'setupErrorLogEntries'
> & {
  desired_mode: number
  current_mode: number
  is_fix: boolean
  group_id: string | null
  group_path: string | null
  class_id: number | null
}

/**
 * Success means that what should be is: a package that was uninstalled and is assigned to be installed again is pending.
 * One without an assignment is listed because it is installed, and nothing is pending.
 */
const shownStatus = sql`case
  when assigned.package_id is null then 'Success'
  when d.status = 'Success' and d.installation_state = 'Uninstalled'
    and o.dist_commands & ${distributionCommands.Uninstall}::integer = 0 then 'Pending'
  else coalesce(d.status, 'Pending') end`

type DeploymentFilter = { packageId?: string; includePreOsPackages?: boolean }

/** The packages of a computer: those that are assigned, and those that are installed without an assignment. */
export function softwareDeployments(
  computerId: number,
  { packageId, includePreOsPackages }: DeploymentFilter,
): RawBuilder<SoftwareDeploymentRow> {
  const computer = sql<{ owner_id: number }>`select ${computerId}::integer as owner_id`
  return sql<SoftwareDeploymentRow>`
    with assigned as materialized (
      select package_id, group_id, group_path, class_id from (${effectivePackages(computer)}) as effective
    ), listed as (
      select package_id from assigned
      union
      select package_id from deployments where computer_id = ${computerId} and installation_state = 'Installed'
    )
    select p.id as "softwareId", p.name, p.version, p.revision, p.kind = 'PatchFix' as is_fix,
      ${shownStatus} as status,
      coalesce(d.installation_state, 'None') as "installationState",
      case when r.group_id is not null then ${enforcedReinstall} else coalesce(o.dist_commands, 0) end as desired_mode,
      coalesce(d.current_mode, 0) as current_mode, d.installed_at as "installTime",
      case when assigned.package_id is not null and d.status = 'Failed' then d.error_text end as "errorText",
      assigned.group_id, assigned.group_path, assigned.class_id
    from listed
      join packages p on p.id = listed.package_id
      left join assigned on assigned.package_id = p.id
      left join deployments d on d.computer_id = ${computerId} and d.package_id = p.id
      left join (${effectiveOptions(sql`select group_id, package_id from assigned`)}) as o on o.package_id = p.id
      left join reinstall_groups r on r.computer_id = ${computerId} and r.package_id = p.id
    where ${includePreOsPackages ? sql`true` : sql`not p.is_pre_os`}
      and ${packageId ? sql`p.id = ${packageId}` : sql`true`}
    order by p.id`
}
