import { ok, operation } from '../../../platform/operation.ts'
import { getTagById, tagNotFound } from '../tags.ts'
import { Tag, TagPath } from './schemas.ts'

export const getTag = operation({
  id: 'getTag',
  route: 'GET /api/tags/:id',
  summary: 'Get a tag',
  role: 'package.read',
  params: TagPath,
  returns: ok(Tag),
  problems: [tagNotFound],
  handle: ({ params, db }) => getTagById(db, params.id),
})
