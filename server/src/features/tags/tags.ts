import type { Database } from '../../database/connect.ts'
import { problem } from '../../platform/problem.ts'
import { readOnlyTag } from './api/problems.ts'

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

/** The tag, if it may be changed; nobody else changes it before the transaction ends. */
export async function changeableTag(db: Database, id: number) {
  const found = await tagRows(db).where('tags.id', '=', id).forUpdate().executeTakeFirst()
  if (!found) throw tagNotFound({ tagId: id })
  if (found.isReadOnly) throw readOnlyTag({ tagId: id })
  return found
}
