import { ok, operation } from '../../../platform/operation.ts'
import { packageNotAssigned } from '../../assignments/api/groups/problems.ts'
import { GroupPath } from '../../groups/api/schemas.ts'
import { packageNotFound } from '../../packages/problems.ts'
import { getEffectiveOptions } from '../distribution-options.ts'
import { optionsGroupNotFound } from './problems.ts'
import { DistributionOptions, OptionsQuery } from './schemas.ts'

export const getDistributionOptions = operation({
  id: 'getDistributionOptions',
  route: 'GET /api/group/:id/distribution-options',
  summary: 'Get the effective distribution options of a group, or of a package in it',
  description:
    'Returns the options of the nearest group that has any, starting with this group and going up. Within one group, ' +
    'the options of the package win over those of the whole group. If no group has options, packages are installed ' +
    'at once. A package must be assigned to the group or inherited by it, directly or through a software class, ' +
    'otherwise the answer is 404. Its options are those of the group that assigns it, as in an activation: options of ' +
    'groups below do not count. An unknown group is answered with 404 and an empty body.',
  role: 'group.read',
  params: GroupPath,
  query: OptionsQuery,
  returns: ok(DistributionOptions),
  problems: [optionsGroupNotFound, packageNotFound, packageNotAssigned],
  // It repeats scheduleString and adds nextStart, which changes with time. The version must not change with it.
  unversioned: ['schedule'],
  async handle({ params, query, db }) {
    return getEffectiveOptions(db, params.id, query.packageId ?? null)
  },
})
