import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../../database/connect.ts'
import { containing } from '../../../platform/like-pattern.ts'
import { enumOf, Type, text } from '../../../platform/schema.ts'
import { patchRows } from '../../patches/patch-rows.ts'
import { type PatchSeverity, patchSeverities, severityOfPatch } from '../../patches/patch-severities.ts'
import { type ReleaseAge, releaseAgeOfPatch, releaseAges } from '../../patches/release-ages.ts'

/** Kept counts of each patch over all its product versions. */
export const countsByPatch = sql<{ patch_id: number; missing: number; installed: number }>`
  select patch_id, sum(missing)::integer as missing, sum(installed)::integer as installed from patch_counts group by 1`

/** The query parameters that select patches. A repeated parameter selects those with any of its values. */
export const patchFilters = {
  search: Type.Optional(
    text(
      255,
      'KB5034441',
      'Text in the name, number, bulletin or its title, regardless of case, or the complete id of a CVE',
    ),
  ),
  severity: Type.Optional(
    Type.Array(enumOf(patchSeverities), { maxItems: 5, examples: [['Critical']], description: 'Vendor severities' }),
  ),
  age: Type.Optional(
    Type.Array(enumOf(releaseAges), { maxItems: 5, examples: [['Older']], description: 'Times since the release' }),
  ),
  missing: Type.Optional(
    Type.Boolean({ examples: [true], description: 'True: only patches that computers lack. False: only the others' }),
  ),
  approved: Type.Optional(
    Type.Boolean({ examples: [true], description: 'Whether the patch is approved for at least one product version' }),
  ),
}

export type PatchFilter = {
  search?: string
  severity?: PatchSeverity[]
  age?: ReleaseAge[]
  missing?: boolean
  approved?: boolean
}

export const hasPatchFilter = (filter: PatchFilter) =>
  ['search', 'severity', 'age', 'missing', 'approved'].some((name) => filter[name as keyof PatchFilter] !== undefined)

/** Selects the order of the patches that meet the filter: those that most computers lack come first. */
export function matchingPatches(db: Database, filter: PatchFilter) {
  const conditions = conditionsOf(filter)
  return db
    .selectFrom('patches')
    .leftJoin(
      sql<{ patch_id: number; missing: number }>`(${countsByPatch})`.as('counts'),
      'counts.patch_id',
      'patches.id',
    )
    .select([
      sql<number>`coalesce(counts.missing, 0)`.as('missing'),
      'patches.severity_rank as severityRank',
      'patches.id as patchId',
    ])
    .where(sql<boolean>`${sql.join([sql`true`, ...conditions], sql` and `)}`)
}

function conditionsOf({ search, severity, age, missing, approved }: PatchFilter): RawBuilder<boolean>[] {
  const isApproved = sql<boolean>`exists (
    select from patch_links link where link.patch_id = patches.id and link.approved_at is not null)`
  return [
    ...(severity ? [sql<boolean>`${severityOfPatch} = any (${severity}::text[])`] : []),
    ...(age ? [sql<boolean>`${releaseAgeOfPatch} = any (${age}::text[])`] : []),
    ...(missing === undefined ? [] : [sql<boolean>`(coalesce(counts.missing, 0) > 0) = ${missing}::boolean`]),
    ...(approved === undefined ? [] : [sql<boolean>`${isApproved} = ${approved}::boolean`]),
    ...(search?.trim() ? [containsText(search.trim())] : []),
  ]
}

function containsText(search: string): RawBuilder<boolean> {
  const pattern = containing(search)
  return sql<boolean>`(patches.name ilike ${pattern} or patches.q_number ilike ${pattern}
    or patches.bulletin_id ilike ${pattern} or patches.bulletin_title ilike ${pattern}
    or patches.cves @> array[upper(${search})])`
}

/** Patches with what people see of them in the list. */
export function fleetPatchRows(db: Database) {
  return patchRows(db)
    .leftJoin(
      sql<{ patch_id: number; missing: number; installed: number }>`(${countsByPatch})`.as('counts'),
      'counts.patch_id',
      'patches.id',
    )
    .select([
      sql<number>`coalesce(counts.missing, 0)`.as('missing'),
      sql<number>`coalesce(counts.installed, 0)`.as('installed'),
      severityOfPatch.as('severity'),
      'patches.severity_rank as severityRank',
    ])
}
