import { sql } from 'kysely'
import type { Database } from '../../database/connect.ts'
import { formatPatchType, type PatchType, patchTypeNames } from './patch-types.ts'
import { patchNotFound, patchProductNotFound } from './problems.ts'

const patchTypeName = sql<string>`case patches.patch_type ${sql.join(
  patchTypeNames.map((name) => sql`when ${sql.lit(name)} then ${sql.lit(formatPatchType(name))}`),
  sql` `,
)} end`

/** The properties of a patch in the API contract, selected from the table `patches`. */
export const patchColumns = [
  'patches.id as patchId',
  'patches.name as patchName',
  'patches.q_number as qNumber',
  'patches.bulletin_id as bulletinId',
  'patches.bulletin_title as bulletinTitle',
  'patches.vendor_information_page as vendorInformationPage',
  'patches.vendor_severity as vendorSeverity',
  sql<PatchType>`patches.patch_type`.as('patchType'),
  patchTypeName.as('patchTypeName'),
  sql<string | null>`patches.release_date::text`.as('releaseDate'),
  sql<string | null>`patches.update_date::text`.as('updateDate'),
  sql<string | null>`patches.bulletin_revise_date::text`.as('bulletinReviseDate'),
  'patches.cvss_score as cvssScore',
  'patches.vrr_score as vrrScore',
  'patches.is_uninstallable as uninstallable',
  sql<number | null>`patches.size_bytes`.as('sizeBytes'),
  'patches.cves',
  sql<boolean>`not patches.is_known_by_scan_only`.as('isConfirmed'),
] as const

/** Patches of the catalog in the shape of the API. */
export function patchRows(db: Database) {
  return db
    .selectFrom('patches')
    .select(patchColumns)
    .select([
      'patches.uid as patchUid',
      'patches.is_service_pack as isServicePack',
      'patches.service_pack as servicePack',
    ])
    .select(({ selectFrom }) => [
      selectFrom('patch_links')
        .whereRef('patch_links.patch_id', '=', 'patches.id')
        .select(sql<number>`count(*)::integer`.as('count'))
        .$asScalar()
        .$notNull()
        .as('productCount'),
      selectFrom('patch_links')
        .whereRef('patch_links.patch_id', '=', 'patches.id')
        .where('approved_at', 'is not', null)
        .select(sql<number>`count(*)::integer`.as('count'))
        .$asScalar()
        .$notNull()
        .as('approvedProductCount'),
      selectFrom('patch_files')
        .whereRef('patch_files.patch_id', '=', 'patches.id')
        .select(sql<number>`count(*)::integer`.as('count'))
        .$asScalar()
        .$notNull()
        .as('fileCount'),
      selectFrom('patch_files')
        .innerJoin('patch_contents', 'patch_contents.sha256', 'patch_files.sha256')
        .whereRef('patch_files.patch_id', '=', 'patches.id')
        .where('patch_contents.stored_at', 'is not', null)
        .select(sql<number>`count(*)::integer`.as('count'))
        .$asScalar()
        .$notNull()
        .as('storedFileCount'),
    ])
}

export async function getPatchRow(db: Database, patchId: number) {
  const patch = await patchRows(db).where('patches.id', '=', patchId).executeTakeFirst()
  if (!patch) throw patchNotFound({ patchId })
  return patch
}

export async function requirePatch(db: Database, patchId: number): Promise<void> {
  const patch = await db.selectFrom('patches').select('id').where('id', '=', patchId).executeTakeFirst()
  if (!patch) throw patchNotFound({ patchId })
}

/** The products of patches in the shape of the API. */
export function patchProductRows(db: Database) {
  return db
    .selectFrom('patch_links')
    .innerJoin('patch_products', 'patch_products.id', 'patch_links.product_id')
    .select([
      'patch_links.patch_id as patchId',
      'patch_products.id as productId',
      'patch_products.name as productName',
      'patch_products.vendor',
      'patch_links.link_items as linkItems',
      sql<boolean>`patch_links.approved_at is not null`.as('isApproved'),
      'patch_links.approved_at as approvedUtc',
    ])
}

/** The products to choose from if a request does not name one. */
export async function listProductChoices(db: Database, patchIds: readonly number[]) {
  return db
    .selectFrom('patch_links')
    .innerJoin('patch_products', 'patch_products.id', 'patch_links.product_id')
    .where('patch_links.patch_id', '=', sql<number>`any(${patchIds}::integer[])`)
    .groupBy(['patch_products.id', 'patch_products.name'])
    .select([
      'patch_products.id as productId',
      'patch_products.name as productName',
      sql<number>`sum(patch_links.link_items)::integer`.as('linkItems'),
    ])
    .orderBy('patch_products.id')
    .execute()
}

/**
 * Locks and returns the links between the patches and the product. Throws for an unknown patch, and then for a patch that
 * does not apply to the product.
 */
export async function lockPatchLinks(db: Database, patchIds: readonly number[], productId: number) {
  await requirePatches(db, patchIds)
  const links = await db
    .selectFrom('patch_links')
    .select(['patch_id', 'link_items', 'approved_at'])
    .where('patch_id', '=', sql<number>`any(${patchIds}::integer[])`)
    .where('product_id', '=', productId)
    .orderBy('patch_id')
    .forUpdate()
    .execute()
  const linked = new Set(links.map(({ patch_id }) => patch_id))
  const unlinked = patchIds.find((id) => !linked.has(id))
  if (unlinked !== undefined) throw patchProductNotFound({ patchId: unlinked, productId })
  return links
}

export async function requirePatches(db: Database, patchIds: readonly number[]): Promise<void> {
  const { rows } = await sql<{ id: number }>`
    select id from unnest(${patchIds}::integer[]) as requested (id) where not exists (select from patches where patches.id = requested.id)
    limit 1`.execute(db)
  if (rows[0]) throw patchNotFound({ patchId: rows[0].id })
}
