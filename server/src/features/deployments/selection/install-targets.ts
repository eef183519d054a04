import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../../database/connect.ts'
import { distributionCommands } from '../../distribution/commands.ts'
import { effectiveOptions } from '../../distribution/effective-options.ts'
import { isInstallable } from '../../work-states/applicability.ts'
import { assignmentsOfSelection, type PackageSelection } from './assigned-packages.ts'

/** What becomes of a selected computer on which a package is to be installed. */
export type InstallTarget = {
  computer_id: number
  state: 'Due' | 'Installed' | 'NotApplicable' | 'ToUninstall'
  /** The group with the nearest assignment; null if the package is not assigned. */
  group_id: string | null
}

/** Installing decides about computers that exist; those on which there is nothing to do say why. */
function installTargets(selection: PackageSelection): RawBuilder<InstallTarget> {
  const options = effectiveOptions(sql`select distinct group_id, package_id from assigned`)
  return sql<InstallTarget>`
    with assigned as materialized (
      ${assignmentsOfSelection(selection)}
    ), options as materialized (
      ${options}
    )
    select platform.computer_id, assigned.group_id, case
        when not ${isInstallable('packages', 'platform')} then 'NotApplicable'
        when d.installation_state = 'Installed' and not coalesce(d.installed_hash <> packages.content_hash, false) then 'Installed'
        when options.dist_commands & ${sql.lit(distributionCommands.Uninstall)} <> 0 then 'ToUninstall'
        else 'Due' end as state
    from packages
      join computer_platforms platform on platform.computer_id = any(${selection.computerIds}::integer[])
      left join deployments d on d.computer_id = platform.computer_id and d.package_id = packages.id
      left join assigned on assigned.computer_id = platform.computer_id
      left join options on options.group_id = assigned.group_id
    where packages.id = ${selection.packageId}`
}

export async function listInstallTargets(db: Database, selection: PackageSelection): Promise<InstallTarget[]> {
  const { rows } = await installTargets(selection).execute(db)
  return rows
}

/** The computers on which the package will be installed. The installation itself does not change which these are. */
export function computersToInstallOn(selection: PackageSelection): RawBuilder<{ computer_id: number }> {
  return sql`select computer_id from (${installTargets(selection)}) as target where state = 'Due'`
}
