import { sql } from 'kysely'
import { ok, operation } from '../../../platform/operation.ts'
import { pageOf, paging } from '../../../platform/paging.ts'
import { closed, Id, pagedResultOf, Type, text } from '../../../platform/schema.ts'
import { invalidPart } from '../../../platform/validation.ts'
import { tagNotFound, tagRows } from '../../tags/tags.ts'
import { packageRows } from '../package-rows.ts'
import { Package } from './schemas.ts'

export const listTagPackages = operation({
  id: 'listTagPackages',
  route: 'GET /api/tags/packages',
  summary: 'List the packages that have a tag',
  description: 'Name the tag by exactly one of `tagId` and `tag`.',
  role: 'package.read',
  query: closed({
    ...paging,
    tagId: Type.Optional(Id),
    tag: Type.Optional(text(255, 'Branch offices', 'Designation of the tag, ignoring case')),
  }),
  returns: ok(pagedResultOf(Package)),
  problems: [tagNotFound],
  async handle(call) {
    const { tagId, tag } = call.query
    if ((tagId === undefined) === (tag === undefined))
      throw invalidPart('query', 'tagId', 'or tag must be given, not both')
    const found = await tagRows(call.db)
      .where(tagId === undefined ? sql<boolean>`lower(designation) = lower(${tag})` : sql<boolean>`id = ${tagId}`)
      .executeTakeFirst()
    if (!found) throw tagNotFound({ tagId, tag })
    const tagged = packageRows(call.db, call.services.configuration)
      .innerJoin('package_tags', 'package_tags.package_id', 'packages.id')
      .where('package_tags.tag_id', '=', found.id)
    return pageOf(call, tagged, { columns: ['id'] })
  },
})
