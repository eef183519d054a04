import type { Database } from '../../database/connect.ts'
import { tagNotFound, tagRows } from '../../domain/tags.ts'
import { readOnlyTag } from './problems.ts'

/** The tag, if it may be changed; nobody else changes it before the transaction ends. */
export async function changeableTag(db: Database, id: number) {
  const found = await tagRows(db).where('tags.id', '=', id).forUpdate().executeTakeFirst()
  if (!found) throw tagNotFound({ tagId: id })
  if (found.isReadOnly) throw readOnlyTag({ tagId: id })
  return found
}
