import { sql } from 'kysely'
import { ok, operation } from '../../../../platform/operation.ts'
import { pageOf, paging } from '../../../../platform/paging.ts'
import { closed, pagedResultOf } from '../../../../platform/schema.ts'
import { GroupPath } from '../../../groups/api/schemas.ts'
import { groupNotFound, requireGroup } from '../../../groups/groups.ts'
import { Package } from '../../../packages/api/schemas.ts'
import { packageRows } from '../../../packages/package-rows.ts'
import { effectiveAssignments, groupAsOwner } from '../../effective-assignments.ts'
import { includeInherited } from './schemas.ts'

export const listGroupPackages = operation({
  id: 'listGroupPackages',
  route: 'GET /api/group/:id/packages',
  summary: 'List the packages that are assigned to a group',
  description: 'Packages that the group gets through a software class are not listed.',
  role: 'group.read',
  params: GroupPath,
  query: closed({
    ...paging,
    includeInherited: includeInherited('Also list the packages that the group inherits from its ancestors, each once.'),
  }),
  returns: ok(pagedResultOf(Package)),
  problems: [groupNotFound],
  async handle(call) {
    const { params, query, db, services } = call
    await requireGroup(db, params.id)
    const effective = effectiveAssignments('package', 'group', groupAsOwner(params.id))
    const packageIds = query.includeInherited
      ? sql<{ object_id: string }>`select object_id from (${effective}) as effective`
      : sql<{ package_id: string }>`select package_id from group_packages where group_id = ${params.id}`
    const packages = packageRows(db, services.configuration).where(sql<boolean>`packages.id in (${packageIds})`)
    return pageOf(call, packages, { columns: ['id'] })
  },
})
