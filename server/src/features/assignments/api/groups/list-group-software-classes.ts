import { ok, operation } from '../../../../platform/operation.ts'
import { pageOf, paging } from '../../../../platform/paging.ts'
import { closed, pagedResultOf } from '../../../../platform/schema.ts'
import { GroupPath } from '../../../groups/api/schemas.ts'
import { groupNotFound, requireGroup } from '../../../groups/groups.ts'
import { SoftwareClass } from '../../../packages/api/software-classes/schemas.ts'
import { softwareClassRows } from '../../../packages/software-classes.ts'

export const listGroupSoftwareClasses = operation({
  id: 'listGroupSoftwareClasses',
  route: 'GET /api/group/:id/software-classes',
  summary: 'List the software classes that are assigned to a group directly',
  role: 'group.read',
  params: GroupPath,
  query: closed(paging),
  returns: ok(pagedResultOf(SoftwareClass)),
  problems: [groupNotFound],
  async handle(call) {
    const { params, db } = call
    await requireGroup(db, params.id)
    const classes = softwareClassRows(db)
      .innerJoin('group_software_classes as assigned', 'assigned.class_id', 'software_classes.id')
      .where('assigned.group_id', '=', params.id)
    return pageOf(call, classes, { columns: ['id'] })
  },
})
