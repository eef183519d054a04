import type { Database } from '../../database/connect.ts'
import { softwareClassNotFound } from './problems.ts'

/** Software classes without their packages, as the API shows them. */
export function softwareClassRows(db: Database) {
  return db
    .selectFrom('software_classes')
    .select(['software_classes.id', 'software_classes.name', 'software_classes.description'])
}

export async function getSoftwareClassById(db: Database, id: number) {
  const found = await softwareClassRows(db).where('software_classes.id', '=', id).executeTakeFirst()
  if (!found) throw softwareClassNotFound({ classId: id })
  return found
}
