import { sql } from 'kysely'
import type { Database } from '../../database/connect.ts'
import type { PatchType } from '../patches/patch-types.ts'
import { updateFixWorkAfterScan } from './remediate.ts'

/** A patch that a scan found on a computer, or found missing there. */
export type ScannedPatch = {
  key: string
  product: string
  status: 'Missing' | 'Installed'
  installedAt?: Date | null
  /** The rest is taken over only where neither the catalog nor another scan has told of the patch. */
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
}

export type PatchScan = {
  scannedAt: Date
  definitionAt?: Date | null
  definitionVersion?: string | null
  patches: readonly ScannedPatch[]
}

/**
 * Puts the result of a patch scan in place of the one before, and makes the fix package due for what is missing and
 * released. Where nothing has changed, nothing is written.
 */
export async function storePatchScan(db: Database, computerId: number, scan: PatchScan): Promise<void> {
  await lockScan(db, computerId, scan)
  const rows = JSON.stringify(scan.patches.map(({ cves, ...patch }) => ({ ...patch, cves: cves ?? [] })))
  await addUnknown(db, rows)
  await replaceRows(db, computerId, rows)
  await updateFixWorkAfterScan(db, computerId)
}

/** Scans of one computer follow each other. A clock that is ahead does not date a scan into the future. */
async function lockScan(db: Database, computerId: number, scan: PatchScan): Promise<void> {
  await sql`
    insert into patch_scans as stored (computer_id, scanned_at, definition_at, definition_version)
    values (${computerId}, least(${scan.scannedAt}::timestamptz, now()), ${scan.definitionAt ?? null}::timestamptz,
      ${scan.definitionVersion ?? null})
    on conflict on constraint patch_scans_pkey do update set scanned_at = excluded.scanned_at,
      definition_at = excluded.definition_at, definition_version = excluded.definition_version
    where (stored.scanned_at, stored.definition_at, stored.definition_version)
      is distinct from (excluded.scanned_at, excluded.definition_at, excluded.definition_version)`.execute(db)
}

const scanned = (rows: string) => sql`
  jsonb_to_recordset(${rows}::jsonb) as scanned (key text, product text, status text, "installedAt" timestamptz, name text,
    "qNumber" text, "bulletinId" text, title text, url text, severity text, type text, "releaseDate" date,
    "sizeBytes" bigint, cves jsonb)`

/** In the order of names, so that two scans that tell of the same patches do not wait for each other both ways. */
async function addUnknown(db: Database, rows: string): Promise<void> {
  const { rows: unknown } = await sql<{ is_unknown: boolean }>`
    select exists (
      select from ${scanned(rows)} where not exists (
        select from patches
          join patch_links on patch_links.patch_id = patches.id
          join patch_products on patch_products.id = patch_links.product_id
        where lower(patches.key) = lower(scanned.key) and lower(patch_products.name) = lower(scanned.product))
    ) as is_unknown`.execute(db)
  if (!unknown[0]?.is_unknown) return
  await sql`
    insert into patch_products (name)
    select distinct on (lower(product)) product from ${scanned(rows)}
    where not exists (select from patch_products known where lower(known.name) = lower(scanned.product))
    order by lower(product) on conflict do nothing`.execute(db)
  await sql`
    insert into patches (key, name, q_number, bulletin_id, bulletin_title, vendor_information_page, vendor_severity,
      patch_type, release_date, size_bytes, cves, is_known_by_scan_only)
    select distinct on (lower(key)) key, coalesce(name, key), "qNumber", "bulletinId", title, url, severity,
      coalesce(type, 'NonSecurityPatch'), "releaseDate", "sizeBytes",
      array(select jsonb_array_elements_text(cves)), true
    from ${scanned(rows)}
    where not exists (select from patches known where lower(known.key) = lower(scanned.key))
    order by lower(key) on conflict do nothing`.execute(db)
  await sql`
    insert into patch_links (patch_id, product_id)
    select distinct patch_id, product_id from (${found(rows)}) as found
    order by patch_id, product_id on conflict do nothing`.execute(db)
}

/** What the scan found, by the ids of patches and products; of a patch that is told twice, that it is missing. */
const found = (rows: string) => sql`
  select distinct on (patches.id, products.id) patches.id as patch_id, products.id as product_id,
    scanned.status = 'Missing' as is_missing,
    case when scanned.status <> 'Missing' then scanned."installedAt" end as installed_at
  from ${scanned(rows)}
    join patches on lower(patches.key) = lower(scanned.key)
    join patch_products products on lower(products.name) = lower(scanned.product)
  order by patches.id, products.id, scanned.status = 'Missing' desc`

async function replaceRows(db: Database, computerId: number, rows: string): Promise<void> {
  await sql`
    with found as materialized (${found(rows)}), gone as (
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
