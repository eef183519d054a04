import { type RawBuilder, sql } from 'kysely'
import { containing } from '../../platform/like-pattern.ts'
import { parsePatchType } from './patch-types.ts'

type TextCriterion = 'qNumber' | 'bulletinId' | 'vendorSeverity' | 'servicePack' | 'releasedAfter' | 'updatedAfter'

/** Criteria about a patch itself, independent of its products. */
export type PatchCriteria = { [K in TextCriterion | 'patchName' | 'bulletinTitle' | 'cve']?: string | null } & {
  patchType?: string | number | null
  minCvssScore?: number | null
  minVrrScore?: number | null
  isServicePack?: boolean | null
}

/** Whether a row of the table `patches` meets all criteria. Null and empty texts are ignored. */
export function matchesPatchCriteria(criteria: PatchCriteria): RawBuilder<boolean> {
  // PostgreSQL evaluates them in this order; texts are the most expensive to compare.
  const conditions = [...valueConditions(criteria), ...textConditions(criteria)]
  return sql<boolean>`(${sql.join([sql`true`, ...conditions], sql` and `)})`
}

/** Whether a row of the table `patches` has exactly this number and this bulletin, as the filters of lists require. */
export function hasPatchNumbers({ qNumber, bulletinId }: Pick<PatchCriteria, 'qNumber' | 'bulletinId'>) {
  const conditions = [
    ...(qNumber ? [sql<boolean>`lower(patches.q_number) = lower(${qNumber})`] : []),
    ...(bulletinId ? [sql<boolean>`lower(patches.bulletin_id) = lower(${bulletinId})`] : []),
  ]
  return sql<boolean>`(${sql.join([sql`true`, ...conditions], sql` and `)})`
}

function textConditions(criteria: PatchCriteria): RawBuilder<boolean>[] {
  const { qNumber, bulletinId, vendorSeverity, servicePack, patchName, bulletinTitle, cve } = criteria
  return [
    ...(qNumber ? [sql<boolean>`patches.q_number ilike ${containing(qNumber)}`] : []),
    ...(bulletinId ? [sql<boolean>`patches.bulletin_id ilike ${containing(bulletinId)}`] : []),
    ...(vendorSeverity ? [sql<boolean>`patches.vendor_severity ilike ${containing(vendorSeverity)}`] : []),
    ...(servicePack ? [sql<boolean>`patches.service_pack ilike ${containing(servicePack)}`] : []),
    ...(patchName ? [sql<boolean>`patches.name ilike ${containing(patchName)}`] : []),
    ...(bulletinTitle ? [sql<boolean>`patches.bulletin_title ilike ${containing(bulletinTitle)}`] : []),
    ...(cve ? [sql<boolean>`patches.cves @> array[upper(${cve})]`] : []),
  ]
}

function valueConditions(criteria: PatchCriteria): RawBuilder<boolean>[] {
  const { patchType, releasedAfter, updatedAfter, minCvssScore, minVrrScore, isServicePack } = criteria
  return [
    ...(patchType == null ? [] : [sql<boolean>`patches.patch_type = ${parsePatchType(patchType) ?? null}`]),
    ...(releasedAfter ? [sql<boolean>`patches.release_date >= ${releasedAfter}::date`] : []),
    ...(updatedAfter ? [sql<boolean>`patches.update_date >= ${updatedAfter}::date`] : []),
    ...(minCvssScore == null ? [] : [sql<boolean>`patches.cvss_score >= ${minCvssScore}`]),
    ...(minVrrScore == null ? [] : [sql<boolean>`patches.vrr_score >= ${minVrrScore}`]),
    ...(isServicePack == null ? [] : [sql<boolean>`patches.is_service_pack = ${isServicePack}::boolean`]),
  ]
}
