import { sql } from 'kysely'
import type { Database } from '../../database/connect.ts'
import { packageNotFound } from './problems.ts'

/** Packages as the API shows them. */
export function packageRows(db: Database) {
  return db
    .selectFrom('packages')
    .select([
      'packages.id',
      'packages.name',
      'packages.package_name as packageName',
      sql<string | null>`packages.kind`.as('type'),
      sql<string | null>`case when packages.is_pre_os then 'PreOs' end`.as('subType'),
      'packages.version',
      'packages.author',
      'packages.revision',
      'packages.is_operational as operational',
      'packages.operating_systems as os',
    ])
}

export async function requirePackage(db: Database, id: string): Promise<void> {
  const found = await db.selectFrom('packages').select('id').where('id', '=', id).executeTakeFirst()
  if (!found) throw packageNotFound({ packageId: id })
}
