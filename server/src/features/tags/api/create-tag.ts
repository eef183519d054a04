import { created, operation } from '../../../platform/operation.ts'
import { getTagById } from '../tags.ts'
import { duplicateTagDesignation } from './problems.ts'
import { CreateTagRequest, Tag } from './schemas.ts'

export const createTag = operation({
  id: 'createTag',
  route: 'POST /api/tags',
  summary: 'Create a tag',
  description:
    'While the depot topology is active, a depot stores the packages that share a tag with it, and the packages with the read-only tag Global. Put a tag on packages with setPackageTags and on depots with assignDepotTag.',
  role: 'package.write',
  body: CreateTagRequest,
  returns: created(Tag),
  problems: [duplicateTagDesignation],
  async handle({ body, db }) {
    const { id } = await db
      .insertInto('tags')
      .values({ designation: body.designation, description: body.description || null })
      .returning('id')
      .executeTakeFirstOrThrow()
    return getTagById(db, id)
  },
})
