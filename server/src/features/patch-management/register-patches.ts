import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../database/connect.ts'
import { mergePatchDetails } from '../patches/catalog/merge-patches.ts'
import { listPatchComponents } from '../patches/components/component-keys.ts'
import { recordComponents } from '../patches/components/record-components.ts'
import { recordRulingsOfPatches } from '../patches/policies/rulings.ts'
import { formatReportedPatches, type ReportedPatch, reportedPatches } from './reported-patches.ts'

/** Whether the scan reports a patch, product or component that is not known, or that replaces a lower version than known. */
export async function hasUnknownPatches(db: Database, patches: string): Promise<boolean> {
  const { rows } = await sql<{ is_unknown: boolean }>`
    select exists (
      select from ${reportedPatches(patches)} where not exists (
        select from patches
          join patch_links link on link.patch_id = patches.id
          join patch_products on patch_products.id = link.product_id
        where lower(patches.key) = lower(reported.key) and lower(patch_products.name) = lower(reported.product)
          and not ${isNewAboutComponent('link')})
    ) as is_unknown`.execute(db)
  return rows[0]?.is_unknown ?? false
}

/** Whether `reported` says more about the component than the link between patch and product, an alias of the query. */
const isNewAboutComponent = (link: string): RawBuilder<boolean> => {
  const known = sql.ref(link)
  return sql<boolean>`(reported.package is not null and (${known}.package is null
    or reported."isReported" and ${known}.package <> reported.package
    or reported."replacedKey" is not null
      and (${known}.replaced_key is null or ${known}.replaced_key > reported."replacedKey")))`
}

/** Adds what the scan of the computer reports and is not known yet: patches, products, links and components. */
export async function registerPatches(
  db: Database,
  computerId: number,
  patches: readonly ReportedPatch[],
): Promise<void> {
  const added = await insertUnknownPatches(db, computerId, formatReportedPatches(patches))
  const components = patches.flatMap(({ key, product, component }) =>
    listPatchComponents(key, product, component).map((one) => ({ key, ...one })),
  )
  const changed = await recordComponents(db, components)
  await mergePatchDetails(db, changed)
  await recordRulingsOfPatches(db, [...new Set([...added, ...changed])])
}

/**
 * Inserts the products, patches and links that do not exist yet, in the order of their names: a common order prevents
 * deadlocks between scans that report the same patches. Returns the patches with a new link.
 */
async function insertUnknownPatches(db: Database, computerId: number, patches: string): Promise<number[]> {
  await sql`
    insert into patch_products (name)
    select distinct on (lower(product)) product from ${reportedPatches(patches)}
    where not exists (select from patch_products known where lower(known.name) = lower(reported.product))
    order by lower(product) on conflict do nothing`.execute(db)
  await sql`
    insert into patches (key, name, q_number, bulletin_id, bulletin_title, vendor_information_page, vendor_severity,
      patch_type, release_date, size_bytes, cves, is_known_by_scan_only, scan_details)
    select distinct on (lower(key)) key, coalesce(name, key), "qNumber", "bulletinId", title, url, severity,
      coalesce(type, 'NonSecurityPatch'), "releaseDate", "sizeBytes",
      array(select jsonb_array_elements_text(cves)), true,
      jsonb_strip_nulls(jsonb_build_object('qNumber', "qNumber", 'bulletinId', "bulletinId", 'bulletinTitle', title,
        'vendorInformationPage', url, 'vendorSeverity', severity, 'releaseDate', "releaseDate",
        'sizeBytes', "sizeBytes", 'cves', cves))
    from ${reportedPatches(patches)}
    where not exists (select from patches known where lower(known.key) = lower(reported.key))
    order by lower(key) on conflict do nothing`.execute(db)
  const { rows: added } = await sql<{ patch_id: number }>`
    insert into patch_links (patch_id, product_id, reported_by)
    select distinct patches.id, products.id, ${computerId}::integer
    from ${reportedPatches(patches)}
      join patches on lower(patches.key) = lower(reported.key)
      join patch_products products on lower(products.name) = lower(reported.product)
    order by patches.id, products.id on conflict do nothing returning patch_id`.execute(db)
  // Ids first: PostgreSQL might otherwise compare every reported key with every link, while imports and scans wait.
  await sql`
    with reported as materialized (
      select patches.id as patch_id, products.id as product_id, reported.package, reported."isReported",
        reported."replacedKey"
      from ${reportedPatches(patches)}
        join patches on lower(patches.key) = lower(reported.key)
        join patch_products products on lower(products.name) = lower(reported.product)
    )
    update patch_links link set package = case when reported."isReported" or link.package is null
        then reported.package else link.package end,
      replaced_key = least(link.replaced_key, reported."replacedKey")
    from reported
    where link.patch_id = reported.patch_id and link.product_id = reported.product_id
      and ${isNewAboutComponent('link')}`.execute(db)
  return added.map(({ patch_id }) => patch_id)
}
