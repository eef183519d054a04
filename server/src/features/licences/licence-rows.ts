import type { Database } from '../../database/connect.ts'

/** Licences as the API shows them. */
export function licenceRows(db: Database) {
  return db
    .selectFrom('licences')
    .select(['id', 'name', 'product_pattern as productPattern', 'owned', 'created_at as createdAtUtc'])
}
