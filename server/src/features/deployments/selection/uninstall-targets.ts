import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../../database/connect.ts'
import { isOpenWork } from '../../work-states/work-states.ts'
import { assignmentsOfSelection, type PackageSelection } from './assigned-packages.ts'

/** A selected computer to which a package is assigned that is to be uninstalled. */
export type UninstallTarget = {
  computer_id: number
  /** The group with the nearest assignment, whose options say what happens to the package. */
  group_id: string
  /** The class through which the group has the package; null if it is assigned itself. */
  class_id: number | null
  is_installed: boolean
  is_pending: boolean
}

export async function listUninstallTargets(db: Database, selection: PackageSelection): Promise<UninstallTarget[]> {
  const { rows } = await sql<UninstallTarget>`
    select assigned.computer_id, assigned.group_id, assigned.class_id,
      d.installation_state is not distinct from 'Installed' as is_installed,
      exists (
        select from work
        where work.computer_id = assigned.computer_id and work.package_id = assigned.package_id and work.kind = 'Uninstall'
          and ${isOpenWork('work.state')}) as is_pending
    from (${assignmentsOfSelection(selection)}) as assigned
      left join deployments d on d.computer_id = assigned.computer_id and d.package_id = assigned.package_id`.execute(
    db,
  )
  return rows
}

/**
 * The groups from which selected computers have the package that is installed on them. Uninstalling it there concerns all their
 * computers. The uninstallation itself does not change which groups these are.
 */
export function groupsToUninstallFrom(selection: PackageSelection): RawBuilder<{ group_id: string }> {
  return sql`
    select assigned.group_id
    from (${assignmentsOfSelection(selection)}) as assigned
      join deployments d on d.computer_id = assigned.computer_id and d.package_id = assigned.package_id
    where d.installation_state = 'Installed'`
}
