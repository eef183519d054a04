import type { Database } from '../../database/connect.ts'
import { readOnlyTag } from './api/problems.ts'
import { tagNotFound, tagRows } from './tags.ts'

/** The tag, if it may be changed; nobody else changes it before the transaction ends. */
export async function changeableTag(db: Database, id: number) {
  const found = await tagRows(db).where('tags.id', '=', id).forUpdate().executeTakeFirst()
  if (!found) throw tagNotFound({ tagId: id })
  if (found.isReadOnly) throw readOnlyTag({ tagId: id })
  return found
}
