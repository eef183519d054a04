import { created, operation } from '../../../platform/operation.ts'
import { getTagById } from '../tags.ts'
import { duplicateDesignation } from './problems.ts'
import { CreateTagRequest, Tag } from './schemas.ts'

export const createTag = operation({
  id: 'createTag',
  route: 'POST /api/tags',
  summary: 'Create a tag',
  role: 'package.write',
  body: CreateTagRequest,
  returns: created(Tag),
  problems: [duplicateDesignation],
  async handle({ body, db }) {
    const { id } = await db
      .insertInto('tags')
      .values({ designation: body.designation, description: body.description || null })
      .returning('id')
      .executeTakeFirstOrThrow()
    return getTagById(db, id)
  },
})
