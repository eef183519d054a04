import { sql } from 'kysely'
import type { Database } from '../../database/connect.ts'
import type { PackageKind } from './manifest.ts'
import { packageNotFound } from './problems.ts'

/** These kinds are distributed like software. The API shows them as software with a sub-type. */
const isSpecialSoftware = sql<boolean>`packages.kind in ('InventoryScan', 'PatchScan', 'PatchFix')`

/** Packages of all kinds, as the API shows them. */
export function packageRows(db: Database) {
  return db
    .selectFrom('packages')
    .select([
      'packages.id',
      'packages.name',
      'packages.package_name as packageName',
      sql<string | null>`case when ${isSpecialSoftware} then 'Software' else packages.kind end`.as('type'),
      sql<string | null>`case when ${isSpecialSoftware} then packages.kind when packages.is_pre_os then 'PreOs' end`.as(
        'subType',
      ),
      'packages.version',
      'packages.author',
      'packages.revision',
      'packages.is_operational as operational',
      'packages.operating_systems as os',
      'packages.description',
      sql<PackageKind>`packages.kind`.as('kind'),
      sql<'None' | 'Current' | 'Mismatch'>`packages.hash_state`.as('hashState'),
    ])
}

/** Packages of one kind, with the columns that the API shows for every kind of import. */
export function packagesOfKind(db: Database, kind: PackageKind) {
  return db
    .selectFrom('packages')
    .where('packages.kind', '=', kind)
    .select([
      'packages.id',
      'packages.name',
      'packages.version',
      'packages.description',
      'packages.is_operational as operational',
    ])
}

export async function getPackageById(db: Database, id: string) {
  const found = await packageRows(db).where('packages.id', '=', id).executeTakeFirst()
  if (!found) throw packageNotFound({ packageId: id })
  return found
}

/** For operations on something that belongs to a package: throws 404 when the package does not exist. */
export async function requirePackage(db: Database, id: string) {
  const found = await db.selectFrom('packages').select(['id', 'name', 'kind']).where('id', '=', id).executeTakeFirst()
  if (!found) throw packageNotFound({ packageId: id })
  return found
}
