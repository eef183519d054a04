import { ok, operation } from '../../../platform/operation.ts'
import { invalidPart } from '../../../platform/validation.ts'
import { changeableTag, getTagById, tagNotFound } from '../tags.ts'
import { getTag } from './get-tag.ts'
import { duplicateDesignation, readOnlyTag } from './problems.ts'
import { Tag, TagPatchRequest, TagPath } from './schemas.ts'

export const updateTag = operation({
  id: 'updateTag',
  route: 'PATCH /api/tags/:id',
  summary: 'Change the designation or the description of a tag',
  description: 'What is left out or null stays as it is; an empty description clears it.',
  role: 'package.write',
  params: TagPath,
  body: TagPatchRequest,
  returns: ok(Tag),
  problems: [tagNotFound, readOnlyTag, duplicateDesignation],
  changes: getTag,
  async handle({ params, body, db }) {
    const changes = {
      ...(body.designation != null && { designation: body.designation }),
      ...(body.description != null && { description: body.description || null }),
    }
    if (Object.keys(changes).length === 0)
      throw invalidPart('body', '', 'must change the designation or the description')
    await changeableTag(db, params.id)
    await db.updateTable('tags').set(changes).where('id', '=', params.id).execute()
    return getTagById(db, params.id)
  },
})
