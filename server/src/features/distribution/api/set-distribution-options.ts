import { ok, operation } from '../../../platform/operation.ts'
import { packageNotAssigned } from '../../assignments/api/groups/problems.ts'
import { GroupPath } from '../../groups/api/schemas.ts'
import { requirePackage } from '../../packages/package-rows.ts'
import { packageNotFound } from '../../packages/problems.ts'
import { optionsFor, requestedCommands, requestedSchedule } from '../distribution-options.ts'
import { getDistributionOptions } from './get-distribution-options.ts'
import { optionsOfUnknownGroup } from './problems.ts'
import { DistributionOptions, OptionsQuery, SetDistributionOptionsRequest } from './schemas.ts'

export const setDistributionOptions = operation({
  id: 'setDistributionOptions',
  route: 'PUT /api/group/:id/distribution-options',
  summary: 'Replace how packages are distributed in a group',
  description:
    'Replaces everything: what is left out is cleared. The options of a package need its direct assignment to this ' +
    'group. Computers follow at their next activation. With Uninstall, all computers of the group and of the groups ' +
    'below uninstall the package, or all packages of the group where no package is named.',
  role: 'group.write',
  params: GroupPath,
  query: OptionsQuery,
  body: SetDistributionOptionsRequest,
  returns: ok(DistributionOptions),
  problems: [optionsOfUnknownGroup, packageNotFound, packageNotAssigned],
  changes: getDistributionOptions,
  async handle({ params, query, body, db }) {
    const packageId = query.packageId ?? null
    const options = {
      dist_commands: requestedCommands(body),
      schedule: requestedSchedule(body),
      revoke_count: body.revokeCount ?? 0,
      wol: body.wol ?? false,
      revoke_date: body.revokeDate ?? null,
      optional_date: body.optionalDate ?? null,
    }
    const group = await db
      .selectFrom('groups')
      .select('id')
      .where('id', '=', params.id)
      .forKeyShare()
      .executeTakeFirst()
    if (!group) throw optionsOfUnknownGroup({ groupId: params.id })
    if (packageId !== null) await requirePackage(db, packageId)
    await db
      .insertInto('distribution_options')
      .values({ group_id: params.id, package_id: packageId, ...options })
      .onConflict((conflict) => conflict.columns(['group_id', 'package_id']).doUpdateSet(options))
      .execute()
    return optionsFor(db, params.id, packageId)
  },
})
