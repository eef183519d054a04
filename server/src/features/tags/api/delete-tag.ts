import { noContent, operation } from '../../../platform/operation.ts'
import { lockChangeableTag, tagNotFound } from '../tags.ts'
import { getTag } from './get-tag.ts'
import { readOnlyTag } from './problems.ts'
import { TagPath } from './schemas.ts'

export const deleteTag = operation({
  id: 'deleteTag',
  route: 'DELETE /api/tags/:id',
  summary: 'Delete a tag',
  description: 'Also removes the tag from all packages and depots. Answers 409 for a read-only tag.',
  role: 'package.write',
  params: TagPath,
  returns: noContent,
  problems: [tagNotFound, readOnlyTag],
  changes: getTag,
  async handle({ params, db }) {
    await lockChangeableTag(db, params.id)
    await db.deleteFrom('tags').where('id', '=', params.id).execute()
  },
})
