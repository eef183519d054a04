import { sql } from 'kysely'
import { ok, operation } from '../../../../platform/operation.ts'
import { invalidPart } from '../../../../platform/validation.ts'
import { computersBelow } from '../../../groups/affected-computers.ts'
import { requirePackage } from '../../../packages/package-rows.ts'
import { packageNotFound } from '../../../packages/problems.ts'
import { requireEndpoint } from '../../assignable-package.ts'
import { listGroupsToReplaceIn, replaceInGroup } from '../../package-replacement.ts'
import { wrongEndpointForType } from './problems.ts'
import { PackageReplacementRequest, PackageReplacementResult } from './schemas.ts'

export const replacePackage = operation({
  id: 'replacePackage',
  route: 'POST /api/group/package-replacement',
  summary: 'Replace a package with another one in every group that has it assigned directly',
  description:
    'Changes one group after the other, each in its own transaction: assigns the new package, copies the ' +
    'distribution options of the old package to it unless `copyDistributionOptions` is false, and removes the old ' +
    'package. A group that already has the new package only loses the old one, and the options of the new package ' +
    'stay. A Reinstall, EOL or Restore group keeps the old package, and so does a group that already gets the new ' +
    'package through a software class; the other groups are changed all the same. The answer has one result per ' +
    'group. An interrupted request can be repeated: it continues with the groups that still have the old package.',
  role: 'group.write',
  massAction: {
    computers: ({ body }) =>
      computersBelow(sql`select group_id from group_packages where package_id = ${body.oldPackageId}`),
  },
  body: PackageReplacementRequest,
  returns: ok(PackageReplacementResult),
  problems: [packageNotFound, wrongEndpointForType],
  execution: { kind: 'StepwiseChange' },
  async handle({ body: { oldPackageId, newPackageId, copyDistributionOptions = true }, db, step, request }) {
    if (oldPackageId.toLowerCase() === newPackageId.toLowerCase())
      throw invalidPart('body', 'newPackageId', 'must differ from oldPackageId')
    const [before, after] = [await requirePackage(db, oldPackageId), await requirePackage(db, newPackageId)]
    requireEndpoint(before, 'packages')
    requireEndpoint(after, 'packages')
    const replacement = { oldId: before.id, newId: after.id, copyOptions: copyDistributionOptions }
    const logFailure = (groupId: string, err: unknown) =>
      request.log.error({ err, groupId }, 'cannot replace the package in the group')
    const results = []
    for (const group of await listGroupsToReplaceIn(db, before.id)) {
      const result = await replaceInGroup(step, group, replacement, logFailure)
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
