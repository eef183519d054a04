import { ok, operation } from '../../../platform/operation.ts'
import { packageNotAssigned } from '../../assignments/api/groups/problems.ts'
import { affectsGroup } from '../../groups/affected-computers.ts'
import { GroupPath } from '../../groups/api/schemas.ts'
import { packageNotFound } from '../../packages/problems.ts'
import { getEffectiveOptions } from '../distribution-options.ts'
import { getDistributionOptions } from './get-distribution-options.ts'
import { optionsGroupNotFound } from './problems.ts'
import { DistributionOptions, OptionsQuery } from './schemas.ts'

export const removeDistributionOptions = operation({
  id: 'removeDistributionOptions',
  route: 'DELETE /api/group/:id/distribution-options',
  summary: 'Remove the distribution options of a group itself, or of a package in it',
  description:
    'The group inherits options again. Returns the options that are effective from then on, which do not change if the ' +
    'group has none of its own. Computers follow at their next activation. It counts as a destructive action, because ' +
    'inherited options may contain Uninstall or Reinstall.',
  role: 'group.write',
  massAction: affectsGroup,
  destructive: true,
  removals: 'Declared',
  params: GroupPath,
  query: OptionsQuery,
  returns: ok(DistributionOptions),
  problems: [optionsGroupNotFound, packageNotFound, packageNotAssigned],
  changes: getDistributionOptions,
  extension: true,
  async handle({ params, query, db }) {
    const packageId = query.packageId ?? null
    await db
      .deleteFrom('distribution_options')
      .where('group_id', '=', params.id)
      .where('package_id', packageId === null ? 'is' : '=', packageId)
      .execute()
    return getEffectiveOptions(db, params.id, packageId)
  },
})
