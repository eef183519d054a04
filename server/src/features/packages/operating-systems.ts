import { sql } from 'kysely'
import type { Database } from '../../database/connect.ts'
import { imageColumns } from './manifest-texts.ts'
import { packagesOfKind } from './package-rows.ts'
import { operatingSystemImportNotFound, osImageSkuNotFound } from './problems.ts'

type Sku = { skuId: number; skuIndex: number; edition: string; packageId: string; imageName: string }

/** Operating systems with their editions, as the API shows them. */
export function operatingSystemRows(db: Database) {
  return packagesOfKind(db, 'OperatingSystem')
    .select(imageColumns)
    .select(
      sql<Sku[]>`(
        select coalesce(jsonb_agg(jsonb_build_object('skuId', sku.id, 'skuIndex', sku.sku_index, 'edition', sku.edition,
          'packageId', sku.package_id, 'imageName', packages.name) order by sku.sku_index), '[]')
        from os_image_skus sku where sku.package_id = packages.id)`.as('skus'),
    )
}

export async function getOperatingSystemById(db: Database, id: string) {
  const found = await operatingSystemRows(db).where('packages.id', '=', id).executeTakeFirst()
  if (!found) throw operatingSystemImportNotFound({ packageId: id })
  return found
}

/** Editions of operating systems, as the API shows them. */
export function osImageSkuRows(db: Database) {
  return db
    .selectFrom('os_image_skus')
    .innerJoin('packages', 'packages.id', 'os_image_skus.package_id')
    .select([
      'os_image_skus.id as skuId',
      'os_image_skus.sku_index as skuIndex',
      'os_image_skus.edition',
      'os_image_skus.package_id as packageId',
      'packages.name as imageName',
    ])
}

/** An edition of this operating system. The problem says whether the system or the edition is missing. */
export async function getOsImageSku(db: Database, packageId: string, skuId: number) {
  const found = await osImageSkuRows(db)
    .where('os_image_skus.id', '=', skuId)
    .where('os_image_skus.package_id', '=', packageId)
    .executeTakeFirst()
  if (found) return found
  await getOperatingSystemById(db, packageId)
  throw osImageSkuNotFound({ packageId, skuId })
}
