import type { Database } from '../../../database/connect.ts'

/** The group, if there is one. It cannot be deleted before the transaction ends. */
export function heldGroup(db: Database, id: string) {
  return db.selectFrom('groups').select(['id', 'kind']).where('id', '=', id).forKeyShare().executeTakeFirst()
}
