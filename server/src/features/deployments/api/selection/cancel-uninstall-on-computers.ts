import { sql } from 'kysely'
import type { Database } from '../../../../database/connect.ts'
import { ok, operation } from '../../../../platform/operation.ts'
import { distributionCommands, withAction } from '../../../distribution/commands.ts'
import { computersBelow } from '../../../groups/affected-computers.ts'
import { lockGroupTreesShared } from '../../../groups/groups.ts'
import { requirePackage } from '../../../packages/package-rows.ts'
import { packageNotFound } from '../../../packages/problems.ts'
import { cancelWorkCtes } from '../../../work-states/cancel-work.ts'
import { workLockOrder } from '../../../work-states/work-states.ts'
import { pinScopeGroups } from '../../activation/activation-scope.ts'
import { packageScope } from '../../selection/assigned-packages.ts'
import { groupsToUninstallFrom } from '../../selection/uninstall-targets.ts'
import { SelectionPackageRequest, SelectionUninstallationEnd } from './schemas.ts'

export const cancelUninstallOnComputers = operation({
  id: 'cancelUninstallOnComputers',
  route: 'POST /api/fleet/computers/software-uninstall/cancellation',
  summary: 'Cancel the uninstallation of a package from selected computers',
  description:
    'Takes uninstallOnComputers back as far as agents have not begun: in the groups through which the computers have the package, ' +
    'the distribution options say Install instead of Uninstall, and waiting uninstallations of all computers of these groups are ' +
    'cancelled. An uninstallation that has begun is completed.',
  role: 'activation.execute',
  execution: { kind: 'LongChange' },
  extension: true,
  massAction: {
    computers: ({ body }) => computersBelow(groupsToUninstallFrom(body)),
    groups: ({ body }) => groupsToUninstallFrom(body),
  },
  body: SelectionPackageRequest,
  returns: ok(SelectionUninstallationEnd),
  problems: [packageNotFound],
  async handle({ body, db }) {
    await lockGroupTreesShared(db)
    await requirePackage(db, body.packageId)
    await pinScopeGroups(db, packageScope(body))
    const { rows } = await groupsToUninstallFrom(body).execute(db)
    const groupIds = await setInstall(db, body.packageId, [...new Set(rows.map(({ group_id }) => group_id))])
    return {
      packageId: body.packageId,
      groupIds,
      cancelledWork: await cancelWaitingUninstalls(db, body.packageId, groupIds),
    }
  },
})

/** Returns the groups whose options have changed. */
async function setInstall(db: Database, packageId: string, groupIds: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ group_id: string }>`
    with changed as materialized (
      select id from distribution_options
      where package_id = ${packageId} and group_id = any(${groupIds}::uuid[])
        and dist_commands & ${distributionCommands.Uninstall}::integer <> 0
      order by group_id for update
    )
    update distribution_options options
    set dist_commands = ${withAction(sql.ref('options.dist_commands'), 'Install')}
    from changed where options.id = changed.id returning options.group_id`.execute(db)
  return rows.map(({ group_id }) => group_id).sort()
}

async function cancelWaitingUninstalls(db: Database, packageId: string, groupIds: readonly string[]): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    with waiting as materialized (
      select work.id from work
      where work.package_id = ${packageId} and work.kind = 'Uninstall' and work.state = 'Due'
        and work.group_id = any(${groupIds}::uuid[])
      order by ${workLockOrder('work')} for update
    ), ${cancelWorkCtes(sql`select id from waiting`, { reason: 'NotDue' })}
    select count(*)::integer as count from cancelled`.execute(db)
  return rows[0]?.count ?? 0
}
