import { type RawBuilder, sql } from 'kysely'
import { groupComplianceRows, matchingGroups } from '../../fleet/patches/group-compliance.ts'
import { missingBySeverity } from '../../issues/states/group-patch-compliance.ts'
import { missingPatches } from '../../patches/missing-patches.ts'
import type { ReadContent } from './report-content.ts'

/** More groups are not read on paper. */
const maxGroups = 500

type Scope = RawBuilder<{ computer_id: number }> | undefined

/** How complete the patches are by group and by severity, and which are missing, for how long, and on how many computers. */
export const readPatchCompliance: ReadContent = async (db, { groupId, computers }, maxRows) => {
  const visible = groupComplianceRows(db).where('groups.id', 'in', (query) =>
    query.selectFrom(matchingGroups(db).as('matching')).select('matching.groupId'),
  )
  const inScope = groupId
    ? visible.where(sql<boolean>`exists (
        select from group_ancestors above where above.descendant_id = groups.id and above.ancestor_id = ${groupId})`)
    : visible
  const listed = await inScope
    .orderBy('groups.path')
    .limit(maxGroups + 1)
    .execute()
  const groups = listed.slice(0, maxGroups)
  const severities = await sql<{ severity: string; computers: number }>`
    select summary.missing_severity as severity, count(*)::integer as computers
    from computer_summaries summary where ${isIn('summary.computer_id', computers)} group by 1`.execute(db)
  const patches = await listMissing(db, computers, maxRows)
  return [
    {
      title: 'By group',
      columns: [
        { name: 'group', title: 'Group', width: 5 },
        { name: 'computers', title: 'Computers', width: 1 },
        { name: 'scanned', title: 'Scanned', width: 1 },
        { name: 'compliant', title: 'Compliant', width: 1 },
        { name: 'compliantPercent', title: 'Percent', width: 1 },
        { name: 'withinSla', title: 'Within SLA', width: 1 },
        { name: 'overduePatches', title: 'Overdue', width: 1 },
      ],
      rows: groups.map(({ path, computers, scanned, compliant, withinSla, overduePatches }) => [
        path,
        computers,
        scanned,
        compliant,
        scanned === 0 ? null : Math.floor((compliant / scanned) * 100),
        withinSla,
        overduePatches,
      ]),
      total: listed.length > maxGroups ? maxGroups + 1 : groups.length,
    },
    {
      title: 'By severity of the worst missing patch',
      columns: [
        { name: 'severity', title: 'Severity', width: 4 },
        { name: 'computers', title: 'Computers', width: 1 },
      ],
      rows: [...Object.values(missingBySeverity), 'None'].map((severity) => [
        severity,
        severities.rows.find((row) => row.severity === severity)?.computers ?? 0,
      ]),
      total: Object.keys(missingBySeverity).length + 1,
    },
    {
      title: 'Missing patches',
      columns: [
        { name: 'patch', title: 'Patch', width: 3 },
        { name: 'patchName', title: 'Name', width: 4 },
        { name: 'product', title: 'Product', width: 3 },
        { name: 'severity', title: 'Severity', width: 1.2 },
        { name: 'releaseDate', title: 'Released', width: 1.4 },
        { name: 'ageDays', title: 'Days', width: 0.8 },
        { name: 'computers', title: 'Computers', width: 1.2 },
      ],
      rows: patches.map(({ key, name, product, severity, released, days, computers }) => [
        key,
        name,
        product,
        severity,
        released,
        days,
        computers,
      ]),
      total: patches[0]?.total ?? 0,
    },
  ]
}

const isIn = (column: string, computers: Scope) =>
  computers ? sql<boolean>`${sql.ref(column)} in (${computers})` : sql<boolean>`true`

type MissingRow = {
  key: string
  name: string
  product: string | null
  severity: string | null
  released: string | null
  days: number | null
  computers: number
  total: number
}

async function listMissing(db: Parameters<ReadContent>[0], computers: Scope, maxRows: number): Promise<MissingRow[]> {
  const { rows } = await sql<MissingRow>`
    select coalesce(patches.q_number, patches.key) as key, patches.name, product.name as product,
      patches.vendor_severity as severity, patches.release_date::text as released,
      (current_date - patches.release_date)::integer as days, lacking.computers, count(*) over ()::integer as total
    from (
      select missing.patch_id, missing.product_id, count(*)::integer as computers
      from (${missingPatches}) as missing where ${isIn('missing.computer_id', computers)} group by 1, 2
    ) as lacking
      join patches on patches.id = lacking.patch_id
      left join patch_products product on product.id = lacking.product_id
    order by patches.severity_rank desc, patches.release_date nulls last, patches.id, lacking.product_id
    limit ${maxRows}`.execute(db)
  return rows
}
