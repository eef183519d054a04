import { ok, operation } from '../../../../platform/operation.ts'
import { pageOf, paging } from '../../../../platform/paging.ts'
import { closed, pagedResultOf } from '../../../../platform/schema.ts'
import { Group } from '../../../groups/api/schemas.ts'
import { PackagePath } from '../../../packages/api/schemas.ts'
import { requirePackage } from '../../../packages/package-rows.ts'
import { packageNotFound } from '../../../packages/problems.ts'
import { groupsWithPackage } from '../../directly-assigned-groups.ts'

export const listPackageGroups = operation({
  id: 'listPackageGroups',
  route: 'GET /api/packages/:id/groups',
  summary: 'List the groups to which a package is assigned directly',
  description:
    'Includes groups that have the package assigned as an agent template, language pack or PXE boot image, or ' +
    'through one of its operating system editions. A group that inherits the assignment from an ancestor is not ' +
    'listed.',
  role: 'package.read',
  params: PackagePath,
  query: closed(paging),
  returns: ok(pagedResultOf(Group)),
  problems: [packageNotFound],
  async handle(call) {
    const { params, db } = call
    await requirePackage(db, params.id)
    return pageOf(call, groupsWithPackage(db, params.id), { columns: ['id'] })
  },
})
