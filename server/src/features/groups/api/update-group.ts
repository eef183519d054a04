import { ok, operation } from '../../../platform/operation.ts'
import { invalidPart } from '../../../platform/validation.ts'
import { groupColumns } from '../group-rows.ts'
import { groupNotFound, isComputerTree, isSpecial, requireGroup, specialGroup } from '../groups.ts'
import { getGroup } from './get-group.ts'
import { duplicateGroupName, notEditableTree, systemGroup } from './problems.ts'
import { Group, GroupPatchRequest, GroupPath } from './schemas.ts'

export const updateGroup = operation({
  id: 'updateGroup',
  route: 'PATCH /api/group/:id',
  summary: 'Rename a group or change its description',
  description:
    'A property that is missing or null keeps its value; an empty description clears it. The parent cannot be changed. Answers 409 for a root group, for a Reinstall, EOL or Restore group, and if the parent already has a child with this name.',
  role: 'group.write',
  params: GroupPath,
  body: GroupPatchRequest,
  returns: ok(Group),
  problems: [groupNotFound, systemGroup, notEditableTree, specialGroup, duplicateGroupName],
  changes: getGroup,
  async handle({ params: { id: groupId }, body, db }) {
    const name = body.name ?? undefined
    const description = body.description ?? undefined
    if (name === undefined && description === undefined)
      throw invalidPart('body', '', 'must contain a name or a description')
    const group = await requireGroup(db, groupId)
    if (group.kind === 'System') throw systemGroup({ groupId })
    if (!isComputerTree(group.tree)) throw notEditableTree({ groupId })
    if (isSpecial(group.kind)) throw specialGroup({ groupId })
    const updated = await db
      .updateTable('groups')
      .set({
        ...(name !== undefined && { name }),
        ...(description !== undefined && { description: description || null }),
      })
      .where('id', '=', groupId)
      .returning(groupColumns)
      .executeTakeFirst()
    if (!updated) throw groupNotFound({ groupId })
    return updated
  },
})
