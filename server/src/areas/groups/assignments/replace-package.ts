import { packageNotFound } from '../../../domain/packages/problems.ts'
import { ok, operation } from '../../../platform/operation.ts'
import { invalidPart } from '../../../platform/validation.ts'
import { replaceInGroups } from './package-replacement.ts'
import { holdPackage, requireEndpoint } from './packages.ts'
import { wrongEndpointForType } from './problems.ts'
import { PackageReplacementRequest, PackageReplacementResult } from './schemas.ts'

export const replacePackage = operation({
  id: 'replacePackage',
  route: 'POST /api/group/package-replacement',
  summary: 'Replace a package by another in every group to which it is assigned directly',
  description:
    'Each group stands for itself: one in which the new package cannot be assigned keeps the old one, and the others ' +
    'are changed. A group that has the new package already loses the old one, and the options of the new one stay. ' +
    'The request can be repeated; it then finds the groups that are left.',
  role: 'group.write',
  body: PackageReplacementRequest,
  returns: ok(PackageReplacementResult),
  problems: [packageNotFound, wrongEndpointForType],
  async handle({ body: { oldPackageId, newPackageId, copyDistributionOptions = true }, db, request }) {
    if (oldPackageId.toLowerCase() === newPackageId.toLowerCase())
      throw invalidPart('body', 'newPackageId', 'must be another package than oldPackageId')
    const [before, after] = [await holdPackage(db, oldPackageId), await holdPackage(db, newPackageId)]
    requireEndpoint(before, 'packages')
    requireEndpoint(after, 'packages')
    const results = await replaceInGroups(
      db,
      { oldId: before.id, newId: after.id, copiesOptions: copyDistributionOptions },
      ({ item, error }) =>
        request.log.error({ err: error, groupId: item }, 'a package could not be replaced in a group'),
    )
    const succeeded = results.filter(({ success }) => success).length
    return {
      oldPackageId: before.id,
      newPackageId: after.id,
      succeeded,
      failed: results.length - succeeded,
      results,
    }
  },
})
