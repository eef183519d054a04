import { sql } from 'kysely'
import type { Database } from '../../../database/connect.ts'
import { ok, operation } from '../../../platform/operation.ts'
import { packageNotAssigned } from '../../assignments/api/groups/problems.ts'
import { groupAsOwner } from '../../assignments/effective-assignments.ts'
import { effectivePackagesOf } from '../../assignments/effective-packages.ts'
import { affectsGroup } from '../../groups/affected-computers.ts'
import { GroupPath } from '../../groups/api/schemas.ts'
import { requireRemovable } from '../../packages/distributable.ts'
import { requirePackage } from '../../packages/package-rows.ts'
import { noUninstallCommand, packageNotFound } from '../../packages/problems.ts'
import { distributionCommands, removesSoftware } from '../commands.ts'
import { getEffectiveOptions, parseRequestedCommands, parseRequestedSchedule } from '../distribution-options.ts'
import { parseUserDeadline } from '../user-deadline.ts'
import { getDistributionOptions } from './get-distribution-options.ts'
import { optionsGroupNotFound } from './problems.ts'
import { DistributionOptions, OptionsQuery, SetDistributionOptionsRequest } from './schemas.ts'

export const setDistributionOptions = operation({
  id: 'setDistributionOptions',
  route: 'PUT /api/group/:id/distribution-options',
  summary: 'Replace the distribution options of a group, or of a package in it',
  description:
    'Replaces all options: a property that is left out is reset to its default. Options of a package require that ' +
    'the package or a software class with it is assigned to this group, otherwise the answer is 404. Subgroups inherit ' +
    'the options unless they have their own. Computers follow at their next activation. With Uninstall, all computers of ' +
    'the group and its subgroups uninstall the package, or every package of the group if `packageId` is left out. A package ' +
    'without a command that uninstalls it is refused with 409; if `packageId` is left out, it stays installed.',
  role: 'group.write',
  massAction: affectsGroup,
  destructive: ({ body }) => removesSoftware(parseRequestedCommands(body)),
  removals: 'Declared',
  params: GroupPath,
  query: OptionsQuery,
  body: SetDistributionOptionsRequest,
  returns: ok(DistributionOptions),
  problems: [optionsGroupNotFound, packageNotFound, packageNotAssigned, noUninstallCommand],
  changes: getDistributionOptions,
  async handle({ params, query, body, db }) {
    const packageId = query.packageId ?? null
    const options = {
      dist_commands: parseRequestedCommands(body),
      schedule: parseRequestedSchedule(body),
      revoke_count: body.revokeCount ?? 0,
      wol: body.wol ?? false,
      revoke_date: body.revokeDate ?? null,
      optional_date: body.optionalDate ?? null,
      user_deadline: toJsonColumn(parseUserDeadline(body.userDeadline)),
      pre_download: body.preDownload ?? false,
    }
    const group = await db
      .selectFrom('groups')
      .select('id')
      .where('id', '=', params.id)
      .forKeyShare()
      .executeTakeFirst()
    if (!group) throw optionsGroupNotFound({ groupId: params.id })
    if (packageId !== null) await requirePackage(db, packageId)
    const assignment = { class_id: packageId === null ? null : await findAssigningClass(db, params.id, packageId) }
    await db
      .insertInto('distribution_options')
      .values({ group_id: params.id, package_id: packageId, ...assignment, ...options })
      .onConflict((conflict) => conflict.columns(['group_id', 'package_id']).doUpdateSet({ ...assignment, ...options }))
      .execute()
    if (packageId !== null && options.dist_commands & distributionCommands.Uninstall)
      await requireRemovable(db, packageId)
    return getEffectiveOptions(db, params.id, packageId)
  },
})

/** A value of type `jsonb`. */
const toJsonColumn = (value: object | null) => (value === null ? null : JSON.stringify(value))

/** The software class through which the group itself assigns the package; null if it assigns the package directly. */
async function findAssigningClass(db: Database, groupId: string, packageId: string): Promise<number | null> {
  const { rows } = await sql<{ class_id: number | null }>`
    select class_id from (${effectivePackagesOf('group', groupAsOwner(groupId))}) as effective
    where package_id = ${packageId} and group_id = ${groupId}`.execute(db)
  return rows[0]?.class_id ?? null
}
