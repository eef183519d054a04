import { sql } from 'kysely'
import type { Database } from '../../../database/connect.ts'
import { asSystemInstallation, distributionCommands } from '../../distribution/commands.ts'
import { isRemovable } from '../../packages/distributable.ts'
import { isOpenWork } from '../../work-states/work-states.ts'
import { activationsOf, executeInScope } from './activation-scope.ts'
import { dueWork, optionColumns, type WorkBit } from './due-work.ts'
import type { Publication } from './publication.ts'

/**
 * Inserts the work that brings computers back from a version to the package of the rollout: the removal of that version, if its
 * manifest allows it, and then an installation. It is never an update, whose command expects an older version. Nobody is asked
 * whether they want it, even if the package is optional: they have it. What the package brings with it comes as in an activation.
 */
export async function insertRollBackWork(
  db: Database,
  { scope, options, taskId, rollout, only, within }: Publication,
  bit: WorkBit,
): Promise<void> {
  const left = rollout?.rolledBackPackageId ?? null
  const onConflict = sql`on conflict (computer_id, package_id) where ${isOpenWork('state')} and package_id is not null do nothing`
  const columns = sql`computer_id, package_id, task_id, rollout_id, rolled_back_package_id, kind, not_before, window_ends_at, ${optionColumns}`
  const ofRollBack = sql`${taskId}::uuid, ${rollout?.id ?? null}::uuid, ${left}::uuid`
  const installation = asSystemInstallation(sql.ref('due.commands'))
  const otherOptions = sql`due.schedule, due.revoke_count, due.revoke_date, null::timestamptz, due.user_deadline,
    due.pre_download, false`
  await executeInScope(
    db,
    scope,
    sql`
      with brought as materialized (
        select due.* from (${dueWork(bit, scope.computers, options, activationsOf(scope), rollout)}) as due
        where ${only ?? sql`true`} and ${within ?? sql`true`}
      ), due as materialized (
        select * from brought where required_by is null and kind in ('Install', 'Update')
      ), related as (
        insert into work (computer_id, package_id, task_id, rollout_id, kind, not_before, window_ends_at, ${optionColumns})
        select computer_id, package_id, ${taskId}::uuid, ${rollout?.id ?? null}::uuid, kind, not_before, window_ends_at, ${optionColumns}
        from brought where required_by is not null and package_id <> ${left}::uuid
        order by computer_id, package_id ${onConflict}
      ), removal as (
        insert into work (${columns})
        select due.computer_id, ${left}::uuid, ${ofRollBack}, 'Uninstall', due.not_before, due.window_ends_at, due.group_id,
          ${sql.lit(distributionCommands.Uninstall)}::integer, ${otherOptions}
        from due
          join deployments installed on installed.computer_id = due.computer_id and installed.package_id = ${left}::uuid
            and installed.installation_state = 'Installed'
          join packages on packages.id = installed.package_id and ${isRemovable('packages')}
        order by due.computer_id ${onConflict}
      )
      insert into work (${columns})
      select due.computer_id, due.package_id, ${ofRollBack}, 'Install', due.not_before, due.window_ends_at, due.group_id,
        ${installation}, ${otherOptions}
      from due order by due.computer_id ${onConflict}`,
  )
}
