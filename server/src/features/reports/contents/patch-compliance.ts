import { type RawBuilder, sql } from 'kysely'
import { groupComplianceRows, matchingGroups, missingBySeverity } from '../../fleet/patches/group-compliance.ts'
import { missingPatches } from '../../patches/missing-patches.ts'
import { type PatchSeverity, patchSeverities } from '../../patches/patch-severities.ts'
import { patchSince } from '../../patches/policies/rulings.ts'
import type { ReadContent, ReportTable } from './report-content.ts'

/** To count one group may mean to visit all computers. */
const maxGroups = 500

type Scope = RawBuilder<{ computer_id: number }> | undefined

/** In days after the release: until then, every computer should have the patches of a severity. */
const deadlines = { Critical: 7, Important: 30, Moderate: 90 } as const satisfies Partial<Record<PatchSeverity, number>>

/** How complete the patches are by group and by severity, and which are missing, for how long, and on how many computers. */
export const readPatchCompliance: ReadContent = async (db, { groupId, computers }, maxRows) => {
  const visible = matchingGroups(db, undefined)
  const inScope = groupId
    ? visible.where(sql<boolean>`exists (
        select from group_ancestors above where above.descendant_id = groups.id and above.ancestor_id = ${groupId})`)
    : visible
  const listed = await inScope
    .orderBy('groups.path')
    .limit(maxGroups + 1)
    .execute()
  const ids = listed.slice(0, maxGroups).map(({ groupId }) => groupId)
  const groups = await groupComplianceRows(db)
    .where('groups.id', '=', sql<string>`any (${ids}::uuid[])`)
    .orderBy('groups.path')
    .execute()
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
      ],
      rows: groups.map(({ path, computers, scanned, compliant }) => [
        path,
        computers,
        scanned,
        compliant,
        scanned === 0 ? null : Math.floor((compliant / scanned) * 100),
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
    tableOfDeadlines(await countOverdue(db, computers)),
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

function tableOfDeadlines(overdue: readonly OverdueRow[]): ReportTable {
  return {
    title: 'By deadline',
    columns: [
      { name: 'severity', title: 'Severity', width: 3 },
      { name: 'deadlineDays', title: 'Days', width: 1 },
      { name: 'overduePatches', title: 'Overdue patches', width: 1.5 },
      { name: 'computers', title: 'Computers that lack one', width: 2 },
      { name: 'inTimePercent', title: 'Percent in time', width: 1.5 },
    ],
    rows: overdue.map(({ severity, days, patches, computers, scanned }) => [
      severity,
      days,
      patches,
      computers,
      scanned === 0 ? null : Math.floor(((scanned - computers) / scanned) * 100),
    ]),
    total: overdue.length,
  }
}

const isIn = (column: string, computers: Scope) =>
  computers ? sql<boolean>`${sql.ref(column)} in (${computers})` : sql<boolean>`true`

type OverdueRow = { severity: PatchSeverity; days: number; patches: number; computers: number; scanned: number }

/** Patches of each severity that some of the computers lack after the deadline, with those computers and the scanned ones. */
async function countOverdue(db: Parameters<ReadContent>[0], computers: Scope): Promise<OverdueRow[]> {
  const limits = Object.entries(deadlines)
  const ranks = limits.map(([severity]) => patchSeverities.indexOf(severity as PatchSeverity))
  const { rows } = await sql<OverdueRow>`
    with deadline as (
      select * from unnest(${ranks}::smallint[], ${limits.map(([, days]) => days)}::integer[]) as deadline (rank, days)
    ), late as materialized (
      select patches.id, patches.severity_rank as rank
      from patches join deadline on deadline.rank = patches.severity_rank
      where ${patchSince} < now() - deadline.days * interval '24 hours'
    ), lacking as materialized (
      select late.rank, late.id as patch_id, missing.computer_id
      from (${missingPatches}) as missing join late on late.id = missing.patch_id
      where ${isIn('missing.computer_id', computers)}
    )
    select (${[...patchSeverities]}::text[])[deadline.rank + 1] as severity, deadline.days, coalesce(counted.patches, 0) as patches,
      coalesce(counted.computers, 0) as computers, (
        select count(*)::integer from patch_scans scan where ${isIn('scan.computer_id', computers)}) as scanned
    from deadline left join (
      select rank, count(distinct patch_id)::integer as patches, count(distinct computer_id)::integer as computers
      from lacking group by rank
    ) as counted using (rank)
    order by deadline.rank desc`.execute(db)
  return rows
}

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
