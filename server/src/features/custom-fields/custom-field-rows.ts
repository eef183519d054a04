import type { Database } from '../../database/connect.ts'

/** Custom field slots with the properties of the API. */
export function customFieldRows(db: Database) {
  return db.selectFrom('custom_fields').select(['slot', 'designation', 'is_active as isActive', 'position'])
}

/** The name of a slot, as a pattern. */
export const customFieldSlot = 'Custom(0[1-9]|[12][0-9]|30)'
