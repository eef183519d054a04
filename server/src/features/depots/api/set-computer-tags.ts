import { sql } from 'kysely'
import { operation } from '../../../platform/operation.ts'
import { closed, Id, Type } from '../../../platform/schema.ts'
import { computerNotFound, lockComputer } from '../../computers/computers.ts'
import { tagNotFound, tagRows } from '../../tags/tags.ts'
import { listComputerTags } from './list-computer-tags.ts'

export const setComputerTags = operation({
  id: 'setComputerTags',
  route: 'PUT /api/computer/:id/tags',
  summary: 'Replace the tags of a computer',
  role: 'computer.write',
  params: closed({ id: Id }),
  body: closed(
    { tagIds: Type.Array(Id, { maxItems: 100, uniqueItems: true, examples: [[1]] }) },
    { title: 'SetComputerTagsRequest' },
  ),
  returns: listComputerTags.returns,
  problems: [computerNotFound, tagNotFound],
  changes: listComputerTags,
  extension: true,
  async handle({ params: { id }, body: { tagIds }, db }) {
    await lockComputer(db, id)
    const tags = await tagRows(db)
      .where('tags.id', '=', sql<number>`any(${tagIds}::integer[])`)
      .orderBy('tags.id')
      .execute()
    const missing = tagIds.find((tagId) => !tags.some((tag) => tag.id === tagId))
    if (missing !== undefined) throw tagNotFound({ tagId: missing })
    await db.deleteFrom('computer_tags').where('computer_id', '=', id).execute()
    await sql`
      insert into computer_tags (computer_id, tag_id) select ${id}::integer, unnest(${tagIds}::integer[])`.execute(db)
    return tags
  },
})
