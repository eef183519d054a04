import { sql } from 'kysely'
import type { Database } from '../../database/connect.ts'
import { distributionCommands, withAction } from './commands.ts'
import { effectiveOptions } from './effective-options.ts'

/** A group that assigns a package, itself or through the class. */
export type AssigningGroup = { group_id: string; class_id: number | null }

/** Stores the effective options of the package in each group with Uninstall as their only action, unless they say so already. */
export async function setUninstall(
  db: Database,
  packageId: string,
  assignments: readonly AssigningGroup[],
): Promise<void> {
  const groupIds = assignments.map(({ group_id }) => group_id)
  const classIds = assignments.map(({ class_id }) => class_id)
  const current = effectiveOptions(sql`select group_id, ${packageId}::uuid as package_id from assigning`)
  await sql`
    with assigning as materialized (
      select * from unnest(${groupIds}::uuid[], ${classIds}::integer[]) as assigning (group_id, class_id)
    )
    insert into distribution_options
      (group_id, package_id, class_id, dist_commands, schedule, revoke_count, wol, revoke_date, optional_date,
        user_deadline, pre_download)
    select group_id, package_id, class_id, ${withAction(sql.ref('dist_commands'), 'Uninstall')}, schedule,
      revoke_count, wol, revoke_date, optional_date, user_deadline, pre_download
    from (${current}) as current_options join assigning using (group_id)
    where dist_commands & ${distributionCommands.Uninstall}::integer = 0
    order by group_id
    on conflict (group_id, package_id) do update
      set dist_commands = excluded.dist_commands, class_id = excluded.class_id`.execute(db)
}
