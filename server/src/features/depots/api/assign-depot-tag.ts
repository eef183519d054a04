import { Answer, operation } from '../../../platform/operation.ts'
import { closed, Id } from '../../../platform/schema.ts'
import { computerNotFound } from '../../computers/computers.ts'
import { Tag } from '../../tags/api/schemas.ts'
import { getTagById, tagNotFound } from '../../tags/tags.ts'
import { notADepot, pinDepotRole } from '../depot-servers.ts'
import { listDepotTags } from './list-depot-tags.ts'

export const assignDepotTag = operation({
  id: 'assignDepotTag',
  route: 'POST /api/depots/:clientId/tags',
  summary: 'Assign a tag to a depot',
  description:
    'Answers 201 if the tag is new and 200 if the depot already has it. While the depot topology setting is active, ' +
    'the depot gets the packages with this tag at its next synchronisation.',
  role: 'package.write',
  params: closed({ clientId: Id }),
  body: closed({ tagId: Id }, { title: 'AssignDepotTagRequest' }),
  returns: { 200: Tag, 201: Tag },
  problems: [computerNotFound, notADepot, tagNotFound],
  shows: listDepotTags,
  async handle({ params, body, db }) {
    await pinDepotRole(db, params.clientId)
    const tag = await getTagById(db, body.tagId)
    const added = await db
      .insertInto('depot_tags')
      .values({ computer_id: params.clientId, tag_id: tag.id })
      .onConflict((conflict) => conflict.doNothing())
      .returning('tag_id')
      .executeTakeFirst()
    return new Answer(added ? 201 : 200, tag)
  },
})
