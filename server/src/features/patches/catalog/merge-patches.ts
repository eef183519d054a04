import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../../database/connect.ts'
import type { PatchDetails } from './patch-document.ts'

// A catalog of our own goes before advisories, then the newest document.
const order = sql`format = 'Csaf', revised_at desc, document_id desc`

/** What the first document tells that tells of it at all. */
const first = (name: keyof PatchDetails, type = 'text'): RawBuilder<unknown> => sql`
  (array_agg((details ->> ${sql.lit(name)})::${sql.raw(type)} order by ${order})
    filter (where details ? ${sql.lit(name)}))[1]`

const firstOfCatalogs = (name: keyof PatchDetails, type: string): RawBuilder<unknown> => sql`
  (array_agg((details ->> ${sql.lit(name)})::${sql.raw(type)} order by ${order})
    filter (where details ? ${sql.lit(name)} and format = 'Muster'))[1]`

const severityRank = sql`
  case lower(details ->> 'vendorSeverity') when 'critical' then 4 when 'important' then 3 when 'high' then 3
    when 'moderate' then 2 when 'medium' then 2 when 'low' then 1 else 0 end`

/** Puts together what all documents tell about these patches; of advisories the worst score and severity count. */
export async function mergePatches(db: Database, patchIds: readonly number[]): Promise<void> {
  await sql`
    with told as materialized (
      select p.patch_id, p.details, p.document_id, d.format, d.revised_at
      from patch_document_patches p join patch_documents d on d.id = p.document_id
      where p.patch_id = any(${patchIds}::integer[])
    ), merged as (
      select patch_id, ${first('name')} as name, ${first('qNumber')} as q_number, ${first('bulletinId')} as bulletin_id,
        ${first('bulletinTitle')} as bulletin_title, ${first('vendorInformationPage')} as vendor_information_page,
        coalesce(${firstOfCatalogs('vendorSeverity', 'text')},
          (array_agg(details ->> 'vendorSeverity' order by ${severityRank} desc, ${order})
            filter (where details ? 'vendorSeverity'))[1]) as vendor_severity,
        ${first('patchType')} as patch_type, ${first('isServicePack', 'boolean')} as is_service_pack,
        ${first('servicePack')} as service_pack,
        coalesce(${firstOfCatalogs('releaseDate', 'date')}, min((details ->> 'releaseDate')::date)) as release_date,
        ${first('updateDate', 'date')} as update_date, ${first('bulletinReviseDate', 'date')} as bulletin_revise_date,
        coalesce(${firstOfCatalogs('cvssScore', 'double precision')},
          max((details ->> 'cvssScore')::double precision)) as cvss_score,
        ${first('vrrScore', 'double precision')} as vrr_score, ${first('uninstallable', 'boolean')} as is_uninstallable,
        ${first('sizeBytes', 'bigint')} as size_bytes
      from told group by patch_id
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
        select distinct cve from told, jsonb_array_elements_text(coalesce(told.details -> 'cves', '[]')) as cve
        where told.patch_id = patches.id order by cve)
    from merged where patches.id = merged.patch_id`.execute(db)
  await mergeLinks(db, patchIds)
}

/** A product that no document names any more stays with the patch where somebody approved, grouped or found it. */
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
        select from patch_document_links told where told.patch_id = link.patch_id and told.product_id = link.product_id)
      and not exists (
        select from pm_group_patches listed where listed.patch_id = link.patch_id and listed.product_id = link.product_id)
      and not exists (
        select from computer_patches found where found.patch_id = link.patch_id and found.product_id = link.product_id)`.execute(
    db,
  )
}
