import { sql } from 'kysely'
import { containing } from '../../../../platform/like-pattern.ts'
import { ok, operation } from '../../../../platform/operation.ts'
import { pageOf, paging } from '../../../../platform/paging.ts'
import { closed, pagedResultOf } from '../../../../platform/schema.ts'
import { pmGroupRows } from '../../pm-groups.ts'
import { PmGroup, PmGroupSearchFilter } from './schemas.ts'

export const searchPmGroups = operation({
  id: 'searchPmGroups',
  route: 'POST /api/pmgroup/search',
  summary: 'Search patch management groups',
  description: 'A group must meet all criteria. Criteria that are absent, null or empty are ignored.',
  role: 'pm.read',
  execution: { kind: 'Read' },
  query: closed(paging),
  body: PmGroupSearchFilter,
  bodyOptional: true,
  returns: ok(pagedResultOf(PmGroup)),
  handle(call) {
    const { name, description, category, patchId, treeId } = call.body ?? {}
    let groups = pmGroupRows(call.db)
    if (name) groups = groups.where('pm_groups.name', 'ilike', containing(name))
    if (description) groups = groups.where('pm_groups.description', 'ilike', containing(description))
    if (category) groups = groups.where('pm_groups.category', '=', category)
    if (patchId != null)
      groups = groups.where(
        sql<boolean>`pm_groups.id in (select pm_group_id from pm_group_patches where patch_id = ${patchId})`,
      )
    if (treeId)
      groups = groups.where(
        sql<boolean>`pm_groups.id in (select pm_group_id from pm_group_assignments where group_id = ${treeId})`,
      )
    return pageOf(call, groups, { columns: ['id'] })
  },
})
