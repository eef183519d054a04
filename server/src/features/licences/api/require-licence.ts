import type { Database } from '../../../database/connect.ts'
import { licenceRows } from '../licence-rows.ts'
import { licenceNotFound } from './problems.ts'

export async function requireLicence(db: Database, id: string) {
  const licence = await licenceRows(db).where('id', '=', id).executeTakeFirst()
  if (!licence) throw licenceNotFound({ licenceId: id })
  return licence
}
