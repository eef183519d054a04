import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../../database/connect.ts'
import { isBroughtBy } from '../components/matching-fixes.ts'
import type { PatchDetails } from './patch-document.ts'

// Catalogs in the Muster format take precedence, then advisories that name the patch, then those that fix a component of
// it: the newest fix first. Of equals, newer documents take precedence over older ones.
const precedence = sql`
  format = 'Csaf', fixed_key is not null, fixed_key desc, revised_at desc, document_id desc`

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

/** Whether no document names the patch, as far as `documented` of the surrounding query knows. */
const isKnownByScanOnly = sql<boolean>`coalesce(documented.is_known_by_scan_only, true)`

/** What a scan reported, until a document names the patch: any agent can be the first to report a patch. */
const scanDetails = sql`(case when ${isKnownByScanOnly} then patches.scan_details end)`

const reported = <K extends keyof PatchDetails>(name: K, type = 'text'): RawBuilder<PatchDetails[K] | null> => sql`
  (${scanDetails} ->> ${sql.lit(name)})::${sql.raw(type)}`

type DocumentDetails = {
  patch_id: number
  details: PatchDetails
  document_id: number
  format: string
  revised_at: Date
  /** The version of a component that the document fixes. Null if the document names the patch itself. */
  fixed_key: string | null
}

/** What documents say about the patches: those that name the patch, and those that fix a component of it. */
const documentDetails = (patchIds: readonly number[]): RawBuilder<DocumentDetails> => sql<DocumentDetails>`
  select described.patch_id, described.details, document.id as document_id, document.format, document.revised_at,
    null::text collate "C" as fixed_key
  from patch_document_patches described join patch_documents document on document.id = described.document_id
  where described.patch_id = any(${patchIds}::integer[])
  union all
  select scanned.patch_id, described.details - '{name,key,qNumber,patchType}'::text[] || coalesce(fixed.details, '{}'),
    document.id, document.format, document.revised_at, fixed.version_key
  from patch_components scanned
    join patch_document_fixes fixed
      on fixed.components @> array[scanned.component] and ${isBroughtBy('fixed', 'scanned')}
    join patch_document_patches described
      on described.document_id = fixed.document_id and described.patch_id = fixed.patch_id
    join patch_documents document on document.id = fixed.document_id
  where scanned.patch_id = any(${patchIds}::integer[])`

const mergedColumns = [
  'name',
  'q_number',
  'bulletin_id',
  'bulletin_title',
  'vendor_information_page',
  'vendor_severity',
  'patch_type',
  'is_service_pack',
  'service_pack',
  'release_date',
  'update_date',
  'bulletin_revise_date',
  'cvss_score',
  'vrr_score',
  'is_uninstallable',
  'size_bytes',
  'is_known_by_scan_only',
  'cves',
  'is_exploited',
]
const columnsOf = (table: string) => sql.join(mergedColumns.map((column) => sql.ref(`${table}.${column}`)))

/**
 * Merges the details of the patches from all documents. Of several advisories, the worst score and severity count. What a
 * scan reported counts as long as no document names the patch, and again when none does any longer.
 */
export async function mergePatchDetails(db: Database, patchIds: readonly number[]): Promise<void> {
  await sql`
    with document_details as materialized (${documentDetails(patchIds)}), documented as (
      select patch_id, coalesce(${firstValue('name')}, ${firstValue('key')}) as name,
        ${firstValue('qNumber')} as q_number, ${firstValue('bulletinId')} as bulletin_id,
        ${firstValue('bulletinTitle')} as bulletin_title, ${firstValue('vendorInformationPage')} as vendor_information_page,
        coalesce(${firstCatalogValue('vendorSeverity', 'text')},
          (array_agg(details ->> 'vendorSeverity' order by ${severityRank} desc, ${precedence})
            filter (where details ? 'vendorSeverity'))[1]) as vendor_severity,
        ${firstValue('patchType')} as patch_type, ${firstValue('isServicePack', 'boolean')} as is_service_pack,
        ${firstValue('servicePack')} as service_pack,
        coalesce(${firstCatalogValue('releaseDate', 'date')},
          min((details ->> 'releaseDate')::date) filter (where fixed_key is null),
          ${firstValue('releaseDate', 'date')}) as release_date,
        ${firstValue('updateDate', 'date')} as update_date, ${firstValue('bulletinReviseDate', 'date')} as bulletin_revise_date,
        coalesce(${firstCatalogValue('cvssScore', 'double precision')},
          max((details ->> 'cvssScore')::double precision)) as cvss_score,
        ${firstValue('vrrScore', 'double precision')} as vrr_score, ${firstValue('uninstallable', 'boolean')} as is_uninstallable,
        ${firstValue('sizeBytes', 'bigint')} as size_bytes, bool_and(fixed_key is not null) as is_known_by_scan_only,
        coalesce(${firstCatalogValue('exploited', 'boolean')}, bool_or((details ->> 'exploited')::boolean)) as is_exploited
      from document_details group by patch_id
    ), documented_cves as (
      select patch_id, array_agg(distinct cve order by cve) as cves
      from document_details, jsonb_array_elements_text(coalesce(details -> 'cves', '[]')) as cve
      group by patch_id
    ), merged as (
      select patches.id, coalesce(documented.name, patches.name) as name,
        coalesce(documented.q_number, ${reported('qNumber')}) as q_number,
        coalesce(documented.bulletin_id, ${reported('bulletinId')}) as bulletin_id,
        coalesce(documented.bulletin_title, ${reported('bulletinTitle')}) as bulletin_title,
        coalesce(documented.vendor_information_page, ${reported('vendorInformationPage')}) as vendor_information_page,
        coalesce(documented.vendor_severity, ${reported('vendorSeverity')}) as vendor_severity,
        coalesce(documented.patch_type, case when ${isKnownByScanOnly} then patches.patch_type else 'NonSecurityPatch' end)
          as patch_type,
        coalesce(documented.is_service_pack, false) as is_service_pack, documented.service_pack,
        coalesce(documented.release_date, ${reported('releaseDate', 'date')}) as release_date,
        documented.update_date, documented.bulletin_revise_date, documented.cvss_score, documented.vrr_score,
        documented.is_uninstallable, coalesce(documented.size_bytes, ${reported('sizeBytes', 'bigint')}) as size_bytes,
        ${isKnownByScanOnly} as is_known_by_scan_only,
        coalesce(documented_cves.cves, array(select jsonb_array_elements_text(${scanDetails} -> 'cves'))) as cves,
        coalesce(documented.is_exploited, false) as is_exploited
      from patches left join documented on documented.patch_id = patches.id
        left join documented_cves on documented_cves.patch_id = patches.id
      where patches.id = any(${patchIds}::integer[])
        and (documented.patch_id is not null or patches.scan_details is not null)
    )
    update patches set (${sql.join(mergedColumns.map((column) => sql.ref(column)))}) = row (${columnsOf('merged')})
    from merged
    where patches.id = merged.id and (${columnsOf('patches')}) is distinct from (${columnsOf('merged')})`.execute(db)
}

/**
 * Links the patches to the products that documents name. A product that no document names any longer stays linked to the patch if the patch is approved for it, belongs to a PM
 * group for it, or was found by a scan.
 */
export async function mergePatchLinks(db: Database, patchIds: readonly number[]): Promise<void> {
  await sql`
    insert into patch_links as stored (patch_id, product_id, link_items)
    select patch_id, product_id, max(link_items) from patch_document_links
    where patch_id = any(${patchIds}::integer[]) group by patch_id, product_id order by patch_id, product_id
    on conflict on constraint patch_links_pkey do update set link_items = excluded.link_items, reported_by = null
    where stored.link_items <> excluded.link_items or stored.reported_by is not null`.execute(db)
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
