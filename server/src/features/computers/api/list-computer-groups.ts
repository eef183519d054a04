import { containing } from '../../../platform/like-pattern.ts'
import { ok, operation } from '../../../platform/operation.ts'
import { pageOf, paging } from '../../../platform/paging.ts'
import { closed, pagedResultOf, Type, text } from '../../../platform/schema.ts'
import { computerNotFound, requireComputer } from '../computers.ts'
import { ComputerPath, DeviceGroup } from './schemas.ts'

export const listComputerGroups = operation({
  id: 'listComputerGroups',
  route: 'GET /api/computer/:id/groups',
  summary: 'List the groups that a computer is a direct member of',
  description:
    'Parent groups are not listed, and neither are Reinstall, EOL and Restore groups. Groups are ordered by id.',
  role: 'computer.read',
  params: ComputerPath,
  query: closed({
    ...paging,
    nameContains: Type.Optional(text(255, 'Work', 'Only groups whose name contains this text, regardless of case')),
  }),
  returns: ok(pagedResultOf(DeviceGroup)),
  problems: [computerNotFound],
  async handle(call) {
    const { params, query, db } = call
    await requireComputer(db, params.id)
    const groups = db
      .selectFrom('group_computers')
      .innerJoin('groups', 'groups.id', 'group_computers.group_id')
      .select(['groups.id as groupId', 'groups.name', 'groups.tree as assignedToTree', 'groups.description'])
      .where('group_computers.computer_id', '=', params.id)
      .where('groups.kind', 'in', ['System', 'Ordinary'])
      .$if(query.nameContains !== undefined, (all) =>
        all.where('groups.name', 'ilike', containing(query.nameContains ?? '')),
      )
    return pageOf(call, groups, { columns: ['groupId'] })
  },
})
