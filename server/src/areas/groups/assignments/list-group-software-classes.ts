import { softwareClassRows } from '../../../domain/assignments/objects.ts'
import { groupNotFound, requireGroup } from '../../../domain/groups.ts'
import { ok, operation } from '../../../platform/operation.ts'
import { pageOf, paging } from '../../../platform/paging.ts'
import { closed, pagedResultOf } from '../../../platform/schema.ts'
import { SoftwareClass } from '../../software-classes/schemas.ts'
import { GroupPath } from '../schemas.ts'

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
