import { ok, operation } from '../../../platform/operation.ts'
import { invalidPart } from '../../../platform/validation.ts'
import { getTagById, lockChangeableTag, tagNotFound } from '../tags.ts'
import { getTag } from './get-tag.ts'
import { duplicateTagDesignation, readOnlyTag } from './problems.ts'
import { Tag, TagPatchRequest, TagPath } from './schemas.ts'

export const updateTag = operation({
  id: 'updateTag',
  route: 'PATCH /api/tags/:id',
  summary: 'Rename a tag or change its description',
  description:
    'A property that is missing or null keeps its value; an empty description clears it. Answers 409 for a read-only tag.',
  role: 'package.write',
  params: TagPath,
  body: TagPatchRequest,
  returns: ok(Tag),
  problems: [tagNotFound, readOnlyTag, duplicateTagDesignation],
  changes: getTag,
  async handle({ params, body, db }) {
    const changes = {
      ...(body.designation != null && { designation: body.designation }),
      ...(body.description != null && { description: body.description || null }),
    }
    if (Object.keys(changes).length === 0) throw invalidPart('body', '', 'must contain a designation or a description')
    await lockChangeableTag(db, params.id)
    await db.updateTable('tags').set(changes).where('id', '=', params.id).execute()
    return getTagById(db, params.id)
  },
})
