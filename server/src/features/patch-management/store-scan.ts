import { sql } from 'kysely'
import { lockForTransaction } from '../../database/advisory-locks.ts'
import type { Database } from '../../database/connect.ts'
import { mergePatchDetails } from '../patches/catalog/merge-patches.ts'
import {
  listPatchComponents,
  type ReportedComponent,
  summariseComponent,
} from '../patches/components/component-keys.ts'
import { recordComponents } from '../patches/components/record-components.ts'
import type { PatchType } from '../patches/patch-types.ts'
import { insertOrCancelFixWorkAfterScan } from './remediate.ts'

/** A patch that a scan reported as installed or missing. */
export type ReportedPatch = {
  key: string
  product: string
  status: 'Missing' | 'Installed'
  installedAt?: Date | null
  /** The following details are stored only if neither the catalog nor an earlier scan has the patch. */
  name?: string | null
  qNumber?: string | null
  bulletinId?: string | null
  title?: string | null
  url?: string | null
  severity?: string | null
  type?: PatchType | null
  releaseDate?: string | null
  sizeBytes?: number | null
  cves?: readonly string[] | null
  /** The package of a distribution that the patch installs. Advisories about it describe the patch. */
  component?: ReportedComponent | null
}

export type PatchScan = {
  scannedAt: Date
  definitionAt?: Date | null
  definitionVersion?: string | null
  patches: readonly ReportedPatch[]
}

/**
 * Replaces the result of the last patch scan of a computer, and updates its fix work by what is missing and released.
 * Writes only what has changed.
 */
export async function storePatchScan(db: Database, computerId: number, scan: PatchScan): Promise<void> {
  const patches = JSON.stringify(
    scan.patches.map(({ component, cves, ...patch }) => ({
      ...patch,
      cves: cves ?? [],
      ...summariseComponent(patch.key, patch.product, component),
    })),
  )
  const hasUnknown = await hasUnknownPatches(db, patches)
  // An import at the same time would not see the new components, nor the scan the new advisories.
  if (hasUnknown) await lockForTransaction(db, 'patchCatalog')
  await upsertScan(db, computerId, scan)
  if (hasUnknown) {
    await insertUnknownPatches(db, patches)
    const components = scan.patches.flatMap(({ key, product, component }) =>
      listPatchComponents(key, product, component).map((one) => ({ key, ...one })),
    )
    await mergePatchDetails(db, await recordComponents(db, components))
  }
  await replaceComputerPatches(db, computerId, patches)
  await insertOrCancelFixWorkAfterScan(db, computerId)
}

/**
 * Pins the computer before anything that belongs to it. Also locks the row, so that scans of one computer run one after the other. A computer whose clock is ahead cannot date
 * its scan into the future.
 */
async function upsertScan(db: Database, computerId: number, scan: PatchScan): Promise<void> {
  await sql`
    with pinned as materialized (
      select id from computers where id = ${computerId} for key share
    )
    insert into patch_scans as stored (computer_id, scanned_at, definition_at, definition_version)
    select ${computerId}::integer, least(${scan.scannedAt}::timestamptz, now()), ${scan.definitionAt ?? null}::timestamptz,
      ${scan.definitionVersion ?? null}::text
    from (select count(*) from pinned) as first_lock
    on conflict on constraint patch_scans_pkey do update set scanned_at = excluded.scanned_at,
      definition_at = excluded.definition_at, definition_version = excluded.definition_version
    where (stored.scanned_at, stored.definition_at, stored.definition_version)
      is distinct from (excluded.scanned_at, excluded.definition_at, excluded.definition_version)`.execute(db)
}

/** A `from` item with the alias `reported`: the patches of a scan, from JSON. */
const reportedPatches = (patches: string) => sql<ReportedPatch>`
  jsonb_to_recordset(${patches}::jsonb) as reported (key text, product text, status text, "installedAt" timestamptz,
    name text, "qNumber" text, "bulletinId" text, title text, url text, severity text, type text, "releaseDate" date,
    "sizeBytes" bigint, cves jsonb, package text, "isReported" boolean, "replacedKey" text)`

/** Whether the scan reports a patch, product or component that is not known, or that replaces a lower version than known. */
async function hasUnknownPatches(db: Database, patches: string): Promise<boolean> {
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
const isNewAboutComponent = (link: string) => {
  const known = sql.ref(link)
  return sql<boolean>`(reported.package is not null and (${known}.package is null
    or reported."isReported" and ${known}.package <> reported.package
    or reported."replacedKey" is not null
      and (${known}.replaced_key is null or ${known}.replaced_key > reported."replacedKey")))`
}

/**
 * Inserts the products, patches and links that do not exist yet, in the order of their names: a common order prevents
 * deadlocks between scans that report the same patches.
 */
async function insertUnknownPatches(db: Database, patches: string): Promise<void> {
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
  await sql`
    insert into patch_links (patch_id, product_id)
    select distinct patch_id, product_id from (${foundPatches(patches)}) as found
    order by patch_id, product_id on conflict do nothing`.execute(db)
  await sql`
    update patch_links link set package = case when reported."isReported" or link.package is null
        then reported.package else link.package end,
      replaced_key = least(link.replaced_key, reported."replacedKey")
    from ${reportedPatches(patches)}, patches, patch_products products
    where lower(patches.key) = lower(reported.key) and lower(products.name) = lower(reported.product)
      and link.patch_id = patches.id and link.product_id = products.id
      and ${isNewAboutComponent('link')}`.execute(db)
}

type FoundPatch = { patch_id: number; product_id: number; is_missing: boolean; installed_at: Date | null }

/** The result of the scan by the ids of patches and products. A patch that is reported as installed and as missing is missing. */
const foundPatches = (patches: string) => sql<FoundPatch>`
  select distinct on (patches.id, products.id) patches.id as patch_id, products.id as product_id,
    reported.status = 'Missing' as is_missing,
    case when reported.status <> 'Missing' then reported."installedAt" end as installed_at
  from ${reportedPatches(patches)}
    join patches on lower(patches.key) = lower(reported.key)
    join patch_products products on lower(products.name) = lower(reported.product)
  order by patches.id, products.id, reported.status = 'Missing' desc`

async function replaceComputerPatches(db: Database, computerId: number, patches: string): Promise<void> {
  await sql`
    with found as materialized (${foundPatches(patches)}), deleted as (
      delete from computer_patches stored
      where stored.computer_id = ${computerId} and not exists (
        select from found where found.patch_id = stored.patch_id and found.product_id = stored.product_id)
    )
    insert into computer_patches as stored (computer_id, patch_id, product_id, is_missing, installed_at)
    select ${computerId}::integer, patch_id, product_id, is_missing, installed_at from found
    order by patch_id, product_id
    on conflict on constraint computer_patches_pkey do update
      set is_missing = excluded.is_missing, installed_at = excluded.installed_at
    where (stored.is_missing, stored.installed_at) is distinct from (excluded.is_missing, excluded.installed_at)`.execute(
    db,
  )
}
