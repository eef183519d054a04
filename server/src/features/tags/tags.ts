import type { Database } from '../../database/connect.ts'
import { problem } from '../../platform/problem.ts'

export const tagNotFound = problem('TagNotFound', 404, 'There is no such tag.', {
  constraint: 'depot_tags_tag_id_fkey',
})

/** Tags as the API shows them. */
export function tagRows(db: Database) {
  return db
    .selectFrom('tags')
    .select(['tags.id', 'tags.designation', 'tags.description', 'tags.is_read_only as isReadOnly'])
}

export async function getTagById(db: Database, id: number) {
  const found = await tagRows(db).where('tags.id', '=', id).executeTakeFirst()
  if (!found) throw tagNotFound({ tagId: id })
  return found
}
