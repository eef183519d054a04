import { ok, operation } from '../../../../platform/operation.ts'
import { invalidPart } from '../../../../platform/validation.ts'
import { requirePackage } from '../../../packages/package-rows.ts'
import { packageNotFound } from '../../../packages/problems.ts'
import { groupsToChange, replaceInGroup } from '../../package-replacement.ts'
import { requireEndpoint } from '../../packages.ts'
import { wrongEndpointForType } from './problems.ts'
import { PackageReplacementRequest, PackageReplacementResult } from './schemas.ts'

export const replacePackage = operation({
  id: 'replacePackage',
  route: 'POST /api/group/package-replacement',
  summary: 'Replace a package by another in every group to which it is assigned directly',
  description:
    'Each group is changed in a transaction of its own, one after the other. One in which the new package cannot be assigned keeps the old one, and the others ' +
    'are changed. A group that has the new package already loses the old one, and the options of the new one stay. ' +
    'The request can be repeated, also when it was interrupted: it then finds the groups that are left.',
  role: 'group.write',
  body: PackageReplacementRequest,
  returns: ok(PackageReplacementResult),
  problems: [packageNotFound, wrongEndpointForType],
  stepwise: true,
  async handle({ body: { oldPackageId, newPackageId, copyDistributionOptions = true }, db, step, request }) {
    if (oldPackageId.toLowerCase() === newPackageId.toLowerCase())
      throw invalidPart('body', 'newPackageId', 'must be another package than oldPackageId')
    const [before, after] = [await requirePackage(db, oldPackageId), await requirePackage(db, newPackageId)]
    requireEndpoint(before, 'packages')
    requireEndpoint(after, 'packages')
    const replacement = { oldId: before.id, newId: after.id, copiesOptions: copyDistributionOptions }
    const report = (groupId: string, err: unknown) =>
      request.log.error({ err, groupId }, 'a package could not be replaced in a group')
    const results = []
    for (const group of await groupsToChange(db, before.id)) {
      const result = await replaceInGroup(step, group, replacement, report)
      if (result) results.push(result)
    }
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
