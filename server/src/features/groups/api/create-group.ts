import { created, operation } from '../../../platform/operation.ts'
import { invalidPart } from '../../../platform/validation.ts'
import { groupColumns } from '../group-rows.ts'
import { isSpecial } from '../groups.ts'
import { duplicateName, parentNotFound, parentSpecialGroup } from './problems.ts'
import { CreateGroupRequest, Group } from './schemas.ts'

export const createGroup = operation({
  id: 'createGroup',
  route: 'POST /api/group',
  summary: 'Create a group below another one',
  role: 'group.write',
  body: CreateGroupRequest,
  returns: created(Group),
  problems: [parentNotFound, parentSpecialGroup, duplicateName],
  async handle({ body: { name, type, parentId, description }, db }) {
    // Not locked: a parent that is deleted meanwhile is found missing by the foreign key.
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
