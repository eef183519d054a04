import { created, operation } from '../../../platform/operation.ts'
import { invalidPart } from '../../../platform/validation.ts'
import { groupColumns } from '../group-rows.ts'
import { isSpecial } from '../groups.ts'
import { duplicateGroupName, parentNotFound, parentSpecialGroup } from './problems.ts'
import { CreateGroupRequest, Group } from './schemas.ts'

export const createGroup = operation({
  id: 'createGroup',
  route: 'POST /api/group',
  summary: 'Create a group',
  description:
    'The group becomes a child of `parentId`; `type` must be the tree of that parent. Answers 409 if the parent is a Reinstall, EOL or Restore group or already has a child with this name.',
  role: 'group.write',
  body: CreateGroupRequest,
  returns: created(Group),
  problems: [parentNotFound, parentSpecialGroup, duplicateGroupName],
  async handle({ body: { name, type, parentId, description }, db }) {
    // No lock is needed: if the parent is deleted meanwhile, the foreign key reports it as missing.
    const parent = await db.selectFrom('groups').select(['tree', 'kind']).where('id', '=', parentId).executeTakeFirst()
    if (!parent) throw parentNotFound({ parentId })
    if (parent.tree !== type) throw invalidPart('body', 'type', `must be the tree of the parent, ${parent.tree}`)
    if (isSpecial(parent.kind)) throw parentSpecialGroup({ parentId })
    return db
      .insertInto('groups')
      .values({ tree: type, parent_id: parentId, name, description: description || null })
      .returning(groupColumns)
      .executeTakeFirstOrThrow()
  },
})
