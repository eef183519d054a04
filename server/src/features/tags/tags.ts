import type { Database } from '../../database/connect.ts'
import { problem } from '../../platform/problem.ts'
import { readOnlyTag } from './api/problems.ts'

export const tagNotFound = problem('TagNotFound', 404, 'No tag has this id.', {
  constraint: 'depot_tags_tag_id_fkey',
})

/** Tags with the properties of the API. */
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

/** Locks the tag until the transaction ends. Throws if it does not exist or is read-only. */
export async function lockChangeableTag(db: Database, id: number): Promise<void> {
  const found = await tagRows(db).where('tags.id', '=', id).forUpdate().executeTakeFirst()
  if (!found) throw tagNotFound({ tagId: id })
  if (found.isReadOnly) throw readOnlyTag({ tagId: id })
}
