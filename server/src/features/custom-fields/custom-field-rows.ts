import type { Database } from '../../database/connect.ts'

export function customFieldSlots(db: Database) {
  return db.selectFrom('custom_fields').select(['slot', 'designation', 'is_active as isActive', 'position'])
}
