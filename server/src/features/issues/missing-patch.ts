import { type RawBuilder, sql } from 'kysely'
import { ago } from '../../database/sql-time.ts'
import { containing } from '../../platform/like-pattern.ts'
import { closed, Id, Int32, nullable, Type, text } from '../../platform/schema.ts'
import { effectivePackages } from '../deployments/effective-packages.ts'
import { effectivePmGroups, isAssignedPatch } from '../patches/effective-pm-groups.ts'
import { missingPatches } from '../patches/missing-patches.ts'
import { matchesPatchCriteria } from '../patches/patch-criteria.ts'
import { PatchType, PatchTypeFilter } from '../patches/patch-type-filter.ts'
import { issue } from './issue.ts'
import { fewOf, listOf } from './sql.ts'

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
    patchType: PatchType,
    vendorSeverity: nullable(text(255, 'Critical')),
    cvssScore: score,
    vrrScore: score,
    releaseDate: nullable(Type.String({ format: 'date', examples: ['2026-03-11'] })),
  },
  { title: 'MissingPatchItem' },
)

const atLeast = (description: string) =>
  Type.Optional(Type.Number({ minimum: 0, maximum: 10, examples: [7], description }))

const row = { computer: 'missing.computer_id', patch: 'missing.patch_id', product: 'missing.product_id' }

const worstFirst = sql`found.severity_rank desc, found.cvss_score desc nulls last, found.patch_id, found.product_id`

export const missingPatch = issue({
  name: 'missing-patch',
  thresholds: {
    qNumber: Type.Optional(text(255, 'KB5034441', 'Only patches of this number')),
    bulletinId: Type.Optional(text(255, 'DSA-5532-1', 'Only patches of this bulletin')),
    bulletinTitle: Type.Optional(text(255, 'security update', 'Only bulletins with this in their title')),
    productName: Type.Optional(text(255, 'Debian', 'Only products with this in their name')),
    patchType: Type.Optional({ ...PatchTypeFilter, default: defaultType }),
    minSeverity: Type.Optional(
      text(255, 'Important', 'Of this severity or above: Low, Moderate, Important, Critical; any other is the lowest'),
    ),
    minCvss: atLeast('Of this CVSS score or above'),
    minVrr: atLeast('Of this VRR score or above'),
    assigned: Type.Optional(
      Type.Boolean({ examples: [true], description: 'Whether one of the PM groups of the computer has the patch' }),
    ),
    minCount: Type.Optional({
      ...Int32,
      minimum: 1,
      default: 1,
      examples: [1],
      description: 'Only computers that lack so many of these patches',
    }),
  },
  findings({ patchType = defaultType, productName, minSeverity, minCvss, minVrr, assigned, ...named }) {
    const { qNumber = null, bulletinId = null, bulletinTitle = null } = named
    const scores = { minCvssScore: minCvss ?? null, minVrrScore: minVrr ?? null }
    const conditions: RawBuilder<unknown>[] = [
      matchesPatchCriteria({ patchType, qNumber, bulletinId, bulletinTitle, ...scores }),
      ...(productName ? [sql`product.name ilike ${containing(productName)}`] : []),
      ...(minSeverity ? [sql`patches.severity_rank >= ${rankOf(minSeverity)}`] : []),
      ...(assigned === undefined ? [] : [sql`${isAssignedPatch(row)} = ${assigned}::boolean`]),
    ]
    return sql`
      select missing.computer_id, missing.patch_id, missing.product_id, product.name as product_name, patches.name,
        patches.q_number, patches.bulletin_id, patches.bulletin_title, patches.patch_type, patches.vendor_severity,
        patches.severity_rank, patches.cvss_score, patches.vrr_score, patches.release_date
      from (${missingPatches}) as missing
        join patches on patches.id = missing.patch_id
        left join patch_products product on product.id = missing.product_id
      where ${sql.join(conditions, sql` and `)}`
  },
  fewest: ({ minCount = 1 }) => minCount,
  shape: {
    missingPatches: Type.Array(MissingPatchItem, { description: 'The worst first' }),
    pmClientGaps: Type.Array(Type.String({ examples: ['No patch management group holds for the computer.'] }), {
      description: 'For people: what keeps patches from being installed',
    }),
  },
  show: {
    missingPatches: listOf(
      {
        patchId: sql`found.patch_id`,
        productId: sql`found.product_id`,
        qNumber: sql`found.q_number`,
        patchName: sql`found.name`,
        productName: sql`found.product_name`,
        bulletinId: sql`found.bulletin_id`,
        bulletinTitle: sql`found.bulletin_title`,
        patchType: sql`found.patch_type`,
        vendorSeverity: sql`found.vendor_severity`,
        cvssScore: sql`found.cvss_score`,
        vrrScore: sql`found.vrr_score`,
        releaseDate: sql`found.release_date`,
      },
      worstFirst,
    ),
    pmClientGaps: gaps(),
  },
  detail: fewOf(sql`coalesce(found.q_number, found.name)`, worstFirst),
})

const ranks: Record<string, number> = { low: 1, moderate: 2, medium: 2, important: 3, high: 3, critical: 4 }

/** As the column `severity_rank` has it. */
function rankOf(severity: string): number {
  return ranks[severity.toLowerCase()] ?? 0
}

function gaps(): RawBuilder<unknown> {
  const computer = sql<{ owner_id: number }>`select computers.id as owner_id`
  return sql`to_jsonb(array_remove(array[
    case when not exists (${effectivePmGroups(computer)})
      then 'No patch management group holds for the computer.' end,
    case when not exists (
        select from (${effectivePackages(computer)}) as held join packages on packages.id = held.package_id
        where packages.kind = 'PatchFix')
      then 'No package that installs patches is assigned to the computer.' end,
    case when exists (
        select from patch_scans scan
        where scan.computer_id = computers.id and scan.scanned_at <= ${ago({ days: staleScanDays })})
      then ${`The last patch scan is older than ${staleScanDays} days.`} end
    ]::text[], null))`
}
