import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../../database/connect.ts'
import type { PatchDetails } from './patch-document.ts'

// Catalogs in the Muster format take precedence over advisories, then newer documents over older ones.
const precedence = sql`format = 'Csaf', revised_at desc, document_id desc`

/** The value of a detail in the first document that has it, as an aggregate over `document_details`. */
const firstValue = <K extends keyof PatchDetails>(name: K, type = 'text'): RawBuilder<PatchDetails[K] | null> => sql`
  (array_agg((details ->> ${sql.lit(name)})::${sql.raw(type)} order by ${precedence})
    filter (where details ? ${sql.lit(name)}))[1]`

/** Like `firstValue`, from catalogs in the Muster format only. */
const firstCatalogValue = <K extends keyof PatchDetails>(
  name: K,
  type: string,
): RawBuilder<PatchDetails[K] | null> => sql`
  (array_agg((details ->> ${sql.lit(name)})::${sql.raw(type)} order by ${precedence})
    filter (where details ? ${sql.lit(name)} and format = 'Muster'))[1]`

const severityRank = sql<number>`
  case lower(details ->> 'vendorSeverity') when 'critical' then 4 when 'important' then 3 when 'high' then 3
    when 'moderate' then 2 when 'medium' then 2 when 'low' then 1 else 0 end`

/** Merges the details of the patches from all documents. Of several advisories, the worst score and severity count. */
export async function mergePatches(db: Database, patchIds: readonly number[]): Promise<void> {
  await sql`
    with document_details as materialized (
      select described.patch_id, described.details, described.document_id, document.format, document.revised_at
      from patch_document_patches described join patch_documents document on document.id = described.document_id
      where described.patch_id = any(${patchIds}::integer[])
    ), merged as (
      select patch_id, ${firstValue('name')} as name, ${firstValue('qNumber')} as q_number, ${firstValue('bulletinId')} as bulletin_id,
        ${firstValue('bulletinTitle')} as bulletin_title, ${firstValue('vendorInformationPage')} as vendor_information_page,
        coalesce(${firstCatalogValue('vendorSeverity', 'text')},
          (array_agg(details ->> 'vendorSeverity' order by ${severityRank} desc, ${precedence})
            filter (where details ? 'vendorSeverity'))[1]) as vendor_severity,
        ${firstValue('patchType')} as patch_type, ${firstValue('isServicePack', 'boolean')} as is_service_pack,
        ${firstValue('servicePack')} as service_pack,
        coalesce(${firstCatalogValue('releaseDate', 'date')}, min((details ->> 'releaseDate')::date)) as release_date,
        ${firstValue('updateDate', 'date')} as update_date, ${firstValue('bulletinReviseDate', 'date')} as bulletin_revise_date,
        coalesce(${firstCatalogValue('cvssScore', 'double precision')},
          max((details ->> 'cvssScore')::double precision)) as cvss_score,
        ${firstValue('vrrScore', 'double precision')} as vrr_score, ${firstValue('uninstallable', 'boolean')} as is_uninstallable,
        ${firstValue('sizeBytes', 'bigint')} as size_bytes
      from document_details group by patch_id
    )
    update patches set name = coalesce(merged.name, patches.name), q_number = merged.q_number,
      bulletin_id = merged.bulletin_id, bulletin_title = merged.bulletin_title,
      vendor_information_page = merged.vendor_information_page, vendor_severity = merged.vendor_severity,
      patch_type = coalesce(merged.patch_type, patches.patch_type),
      is_service_pack = coalesce(merged.is_service_pack, false), service_pack = merged.service_pack,
      release_date = merged.release_date, update_date = merged.update_date,
      bulletin_revise_date = merged.bulletin_revise_date, cvss_score = merged.cvss_score, vrr_score = merged.vrr_score,
      is_uninstallable = merged.is_uninstallable, size_bytes = merged.size_bytes, is_known_by_scan_only = false,
      cves = array(
        select distinct cve
        from document_details, jsonb_array_elements_text(coalesce(document_details.details -> 'cves', '[]')) as cve
        where document_details.patch_id = patches.id order by cve)
    from merged where patches.id = merged.patch_id`.execute(db)
  await mergeLinks(db, patchIds)
}

/**
 * A product that no document names any longer stays linked to the patch if the patch is approved for it, belongs to a PM
 * group for it, or was found by a scan.
 */
async function mergeLinks(db: Database, patchIds: readonly number[]): Promise<void> {
  await sql`
    insert into patch_links as stored (patch_id, product_id, link_items)
    select patch_id, product_id, max(link_items) from patch_document_links
    where patch_id = any(${patchIds}::integer[]) group by patch_id, product_id order by patch_id, product_id
    on conflict on constraint patch_links_pkey do update set link_items = excluded.link_items
    where stored.link_items <> excluded.link_items`.execute(db)
  await sql`
    delete from patch_links link
    where patch_id = any(${patchIds}::integer[]) and approved_at is null
      and not exists (
        select from patch_document_links named where named.patch_id = link.patch_id and named.product_id = link.product_id)
      and not exists (
        select from pm_group_patches listed where listed.patch_id = link.patch_id and listed.product_id = link.product_id)
      and not exists (
        select from computer_patches scanned
        where scanned.patch_id = link.patch_id and scanned.product_id = link.product_id)`.execute(db)
}
