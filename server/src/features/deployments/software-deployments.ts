import { type RawBuilder, sql } from 'kysely'
import type { Static } from '../../platform/schema.ts'
import { computerAsOwner, effectiveAssignments } from '../assignments/effective-assignments.ts'
import { effectivePackages } from '../assignments/effective-packages.ts'
import { unmetRequirement } from '../assignments/required-packages.ts'
import { asSystemInstallation } from '../distribution/commands.ts'
import { effectiveOptions } from '../distribution/effective-options.ts'
import { mismatchSentence } from '../work-states/applicability.ts'
import type { SoftwareDeployment } from './api/history/schemas.ts'
import { isToReturn } from './deployment-status.ts'
import { pulledPackagesOf } from './pulled-packages.ts'
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
 * Success means that the computer has what it should have: a package that was uninstalled and is assigned to be installed again is pending.
 * One without an assignment is listed because it is installed, and nothing is pending. One that is not for the computer has
 * nothing to do there.
 */
const shownStatus = sql`case
  when assigned.package_id is null or mismatch.sentence is not null then 'Success'
  when ${isToReturn('d', 'o')} then 'Pending'
  else coalesce(d.status, 'Pending') end`

type DeploymentFilter = { packageId?: string; includePreOsPackages?: boolean }

/**
 * What is assigned to a computer: packages and what they pull in, language packs, and the operating system of its edition or else
 * the one that its boot image contains.
 */
function assignedPackages(computerId: number) {
  const computer = computerAsOwner(computerId)
  return sql`
    select package_id, group_id, group_path, class_id, false as is_system, null::integer as pulled_commands
    from (${effectivePackages(sql`select ${computerId}::integer as owner_id`)}) as effective
    union all
    (select distinct on (package_id) package_id, group_id, group_path, null::integer, false, commands
    from (${pulledPackagesOf(computerId)}) as pulled order by package_id, group_path collate "C")
    union all
    select object_id, group_id, group_path, null, false, null
    from (${effectiveAssignments('languagePack', 'computer', computer)}) as pack
    union all
    select coalesce(sku.package_id, image.package_id), coalesce(edition.group_id, boot.group_id),
      coalesce(edition.group_path, boot.group_path), null, true, null
    from (${effectiveAssignments('osImageSku', 'computer', computer)}) as edition
      join os_image_skus sku on sku.id = edition.object_id
      full join (${effectiveAssignments('pxeBootImage', 'computer', computer)}) as boot on boot.owner_id = edition.owner_id
      left join pxe_boot_images image on image.id = boot.object_id`
}

/** The packages of a computer: those that are assigned, and those that are installed without an assignment. */
export function softwareDeployments(
  computerId: number,
  { packageId, includePreOsPackages }: DeploymentFilter,
): RawBuilder<SoftwareDeploymentRow> {
  const desiredMode = sql`case when assigned.is_system then ${asSystemInstallation(sql.ref('o.dist_commands'))}
    else coalesce(o.dist_commands, 0) end`
  return sql<SoftwareDeploymentRow>`
    with assigned as materialized (
      ${assignedPackages(computerId)}
    ), listed as (
      select package_id from assigned
      union
      select package_id from deployments where computer_id = ${computerId} and installation_state = 'Installed'
    )
    select p.id as "softwareId", p.name, p.version, p.revision, p.kind = 'PatchFix' as is_fix,
      ${shownStatus} as status,
      coalesce(d.installation_state, 'None') as "installationState",
      case when r.group_id is not null then ${enforcedReinstall} else ${desiredMode} end as desired_mode,
      coalesce(d.current_mode, 0) as current_mode, d.installed_at as "installTime",
      case when assigned.package_id is not null and d.status = 'Failed' then d.error_text end as "errorText",
      mismatch.sentence as "notApplicable", assigned.group_id, assigned.group_path, assigned.class_id
    from listed
      join packages p on p.id = listed.package_id
      join computer_platforms platform on platform.computer_id = ${computerId}
      left join assigned on assigned.package_id = p.id
      left join deployments d on d.computer_id = ${computerId} and d.package_id = p.id
      left join (
        select package_id, dist_commands
        from (${effectiveOptions(sql`select group_id, package_id from assigned where pulled_commands is null`)}) as own
        union all select package_id, pulled_commands from assigned where pulled_commands is not null
      ) as o on o.package_id = p.id
      left join reinstall_groups r on r.computer_id = ${computerId} and r.package_id = p.id
      -- What is installed has shown that it is for the computer.
      cross join lateral (
        select case when assigned.package_id is not null and d.installation_state is distinct from 'Installed'
          then coalesce(${mismatchSentence('p', 'platform')},
            'It requires ' || ${unmetRequirement(sql`platform.computer_id`, sql`p.id`)} || ', which is not for the computer.') end as sentence
      ) as mismatch
    where ${includePreOsPackages ? sql`true` : sql`not p.is_pre_os`}
      and ${packageId ? sql`p.id = ${packageId}` : sql`true`}
    order by p.id`
}
