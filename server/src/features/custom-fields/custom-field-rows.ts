import type { Database } from '../../database/connect.ts'

/** Custom field slots with the properties of the API. */
export function customFieldRows(db: Database) {
  return db.selectFrom('custom_fields').select(['slot', 'designation', 'is_active as isActive', 'position'])
}
