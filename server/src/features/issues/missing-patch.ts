import { type RawBuilder, type Selectable, sql } from 'kysely'
import { ago } from '../../database/sql-time.ts'
import type { Patches } from '../../database/tables.ts'
import { containing } from '../../platform/like-pattern.ts'
import { closed, enumOf, Id, Int32, nullable, Type, text } from '../../platform/schema.ts'
import { effectivePackages } from '../assignments/effective-packages.ts'
import { effectivePmGroups, isAssignedPatch } from '../patches/effective-pm-groups.ts'
import { type MissingPatch, missingPatches } from '../patches/missing-patches.ts'
import { hasPatchNumbers, matchesPatchCriteria } from '../patches/patch-criteria.ts'
import { PatchTypeFilter, PatchTypeSchema } from '../patches/patch-type-schemas.ts'
import { issue, type OccurrenceColumns } from './issue.ts'
import { jsonList, textList } from './occurrence-aggregates.ts'

const defaultType = 'SecurityPatch'
const staleScanDays = 14

const score = nullable(Type.Number({ examples: [7.5] }))

const MissingPatchItem = closed(
  {
    patchId: Id,
    productId: Id,
    qNumber: nullable(text(255, 'KB5034441')),
    patchName: nullable(text(500, 'openssl 3.0.16-1~deb12u1')),
    productName: nullable(text(500, 'Debian GNU/Linux 12')),
    bulletinId: nullable(text(255, 'DSA-5532-1')),
    bulletinTitle: nullable(text(1_000, 'openssl security update')),
    patchType: PatchTypeSchema,
    vendorSeverity: nullable(text(255, 'Critical')),
    cvssScore: score,
    vrrScore: score,
    releaseDate: nullable(Type.String({ format: 'date', examples: ['2026-03-11'] })),
  },
  { title: 'MissingPatchItem' },
)

/** As in the generated column `severity_rank`, where any other severity is 0. */
const severityRanks = { Low: 1, Moderate: 2, Medium: 2, Important: 3, High: 3, Critical: 4 }
const severityNames = ['Low', 'Moderate', 'Medium', 'Important', 'High', 'Critical'] as const

const minScore = (description: string) =>
  Type.Optional(Type.Number({ minimum: 0, maximum: 10, examples: [7], description }))

const thresholds = {
  qNumber: Type.Optional(text(255, 'KB5034441', 'Only patches with this number')),
  bulletinId: Type.Optional(text(255, 'DSA-5532-1', 'Only patches of this bulletin')),
  bulletinTitle: Type.Optional(text(255, 'security update', 'Only bulletins whose title contains this text')),
  productName: Type.Optional(text(255, 'Debian', 'Only products whose name contains this text')),
  patchType: Type.Optional({ ...PatchTypeFilter, default: defaultType }),
  minSeverity: Type.Optional(
    enumOf(severityNames, {
      description: 'Only patches with at least this vendor severity. Medium is Moderate, High is Important.',
    }),
  ),
  minCvss: minScore('Only patches with at least this CVSS score'),
  minVrr: minScore('Only patches with at least this VRR score'),
  assigned: Type.Optional(
    Type.Boolean({
      examples: [true],
      description:
        'True for patches that belong to a patch management group of the computer, false for all others; both by default',
    }),
  ),
  minCount: Type.Optional({
    ...Int32,
    minimum: 1,
    default: 1,
    examples: [1],
    description: 'Report only computers that lack at least this many of these patches.',
  }),
}

type MissingPatchOccurrence = MissingPatch &
  Pick<
    Selectable<Patches>,
    | 'name'
    | 'q_number'
    | 'bulletin_id'
    | 'bulletin_title'
    | 'patch_type'
    | 'vendor_severity'
    | 'severity_rank'
    | 'cvss_score'
    | 'vrr_score'
    | 'release_date'
  > & { product_name: string | null }

export const missingPatch = issue({
  name: 'missing-patch',
  thresholds,
  occurrences({ patchType = defaultType, productName, minSeverity, minCvss, minVrr, assigned, ...texts }) {
    const { qNumber = null, bulletinId = null, bulletinTitle = null } = texts
    const scores = { minCvssScore: minCvss ?? null, minVrrScore: minVrr ?? null }
    const columns = { computer: 'missing.computer_id', patch: 'missing.patch_id', product: 'missing.product_id' }
    const conditions = [
      matchesPatchCriteria({ patchType, bulletinTitle, ...scores }),
      hasPatchNumbers({ qNumber, bulletinId }),
      ...(productName ? [sql<boolean>`product.name ilike ${containing(productName)}`] : []),
      ...(minSeverity ? [sql<boolean>`patches.severity_rank >= ${severityRanks[minSeverity]}`] : []),
      ...(assigned === undefined ? [] : [sql<boolean>`${isAssignedPatch(columns)} = ${assigned}::boolean`]),
    ]
    return sql<MissingPatchOccurrence>`
      select missing.computer_id, missing.patch_id, missing.product_id, product.name as product_name, patches.name,
        patches.q_number, patches.bulletin_id, patches.bulletin_title, patches.patch_type, patches.vendor_severity,
        patches.severity_rank, patches.cvss_score, patches.vrr_score, patches.release_date
      from (${missingPatches}) as missing
        join patches on patches.id = missing.patch_id
        left join patch_products product on product.id = missing.product_id
      where ${sql.join(conditions, sql` and `)}`
  },
  minOccurrences: ({ minCount = 1 }) => minCount,
  properties: {
    missingPatches: Type.Array(MissingPatchItem, { description: 'The most severe first' }),
    pmClientGaps: Type.Array(Type.String({ examples: ['No patch management group applies to the computer.'] }), {
      description: 'Reasons why patches cannot be installed, as sentences for people',
    }),
  },
  values: (column, computerId) => ({
    missingPatches: jsonList(
      {
        patchId: column.patch_id,
        productId: column.product_id,
        qNumber: column.q_number,
        patchName: column.name,
        productName: column.product_name,
        bulletinId: column.bulletin_id,
        bulletinTitle: column.bulletin_title,
        patchType: column.patch_type,
        vendorSeverity: column.vendor_severity,
        cvssScore: column.cvss_score,
        vrrScore: column.vrr_score,
        releaseDate: column.release_date,
      },
      bySeverity(column),
    ),
    pmClientGaps: patchingGaps(computerId),
  }),
  detail: (column) => textList(sql<string>`coalesce(${column.q_number}, ${column.name})`, bySeverity(column)),
  cause: { kind: 'Patch', id: (column) => column.patch_id },
})

const bySeverity = (column: OccurrenceColumns<MissingPatchOccurrence>) =>
  sql`${column.severity_rank} desc, ${column.cvss_score} desc nulls last, ${column.patch_id},
    ${column.product_id}`

function patchingGaps(computerId: RawBuilder<number>): RawBuilder<string[]> {
  const computer = sql<{ owner_id: number }>`select ${computerId} as owner_id`
  return sql<string[]>`to_jsonb(array_remove(array[
    case when not exists (${effectivePmGroups(computer)})
      then 'No patch management group applies to the computer.' end,
    case when not exists (
        select from (${effectivePackages(computer)}) as effective join packages on packages.id = effective.package_id
        where packages.kind = 'PatchFix')
      then 'No package that installs patches is assigned to the computer.' end,
    case when exists (
        select from patch_scans scan
        where scan.computer_id = ${computerId} and scan.scanned_at <= ${ago({ days: staleScanDays })})
      then ${`The last patch scan is older than ${staleScanDays} days.`} end
    ]::text[], null))`
}
