import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../../database/connect.ts'
import { ok, operation } from '../../../platform/operation.ts'
import { pageOf, paging } from '../../../platform/paging.ts'
import { closed, type Static, Type } from '../../../platform/schema.ts'
import { ComputerPath } from '../../computers/api/schemas.ts'
import { computerNotFound, requireComputer } from '../../computers/computers.ts'
import { countsOn } from '../compare/affected-computers.ts'
import { describeRemedies } from '../describe-remedies.ts'
import { isCovered } from '../exceptions/covered-computers.ts'
import { foundPackage, foundPackages } from '../found-packages.ts'
import { allOf, rankColumns, rankSelections, ratingColumns, ratingConditions } from '../vulnerability-rows.ts'
import { ratingFilters } from './rating-filters.ts'
import { ComputerVulnerabilities, type ComputerVulnerability } from './schemas.ts'

type Package = Static<typeof ComputerVulnerability>['packages'][number]
type FoundPackages = (Omit<Package, 'remedy'> & { componentId: number; sourceId: number })[]

export const listComputerVulnerabilities = operation({
  id: 'listComputerVulnerabilities',
  route: 'GET /api/computer/:id/vulnerabilities',
  summary: 'List the vulnerabilities of the software of a computer',
  description:
    'By its last inventory, with the version that fixes each, how it was found, and how it goes away (`remedy`). The order is that of all vulnerabilities. ' +
    '`platform`, `comparedPackages` and `assumedPackages` say how far the answer can be relied on: software without advisories is not compared.',
  role: 'computer.read',
  params: ComputerPath,
  query: closed({
    ...paging,
    ...ratingFilters,
    isExcepted: Type.Optional(
      Type.Boolean({ examples: [false], description: 'Only those that an exception covers, or only the others' }),
    ),
  }),
  returns: ok(ComputerVulnerabilities),
  problems: [computerNotFound],
  extension: true,
  async handle(call) {
    const { params, query, db } = call
    await requireComputer(db, params.id)
    const comparison = await describeComparison(db, params.id)
    let rows = db
      .selectFrom('vulnerabilities as v')
      .innerJoin(packagesByVulnerability(params.id).as('named'), 'named.vulnerability_id', 'v.id')
      .select(ratingColumns)
      .select(rankSelections)
      .select(['named.isExcepted', 'named.packages'])
      .where(allOf(ratingConditions(query)))
    if (query.isExcepted !== undefined) rows = rows.where('named.isExcepted', '=', query.isExcepted)
    const page = await pageOf(call, rows, { columns: rankColumns, descending: true })
    return { ...page, items: await describeRemedies(db, params.id, page.items), ...comparison }
  },
})

/** What is installed on the computer and compared, as components of the platform that it has. */
const componentsOf = (computerId: number) => sql`
  select component.* from computers
    join system_platforms system on system.os_name = computers.os_name
      and system.os_version = coalesce(computers.os_version, '')
    join installed_software installed on installed.computer_id = computers.id
    join installed_components component on component.product_id = installed.product_id
      and ${countsOn('system', 'component')}
  where computers.id = ${computerId}`

function packagesByVulnerability(computerId: number) {
  const isExcepted = isCovered('found.vulnerability_id', 'owner.computer_id', 'component')
  const listed = { ...foundPackage, isExcepted, componentId: sql`component.id`, sourceId: sql`source.id` }
  const properties = sql.join(Object.entries(listed).map(([name, value]) => sql`${sql.lit(name)}, ${value}`))
  return sql<{ vulnerability_id: number; isExcepted: boolean; packages: FoundPackages }>`(
    select found.vulnerability_id, bool_and(${isExcepted}) as "isExcepted",
      jsonb_agg(jsonb_build_object(${properties}) order by product.name, component.id, source.id) as packages
    from ${foundPackages} cross join (select ${computerId}::integer as computer_id) as owner
    where component.id in (select id from (${componentsOf(computerId)}) as own)
    group by found.vulnerability_id)`
}

type ComparisonOfComputer = {
  platform: string | null
  comparedPackages: number
  assumedPackages: number
  installedPackages: number
}

async function describeComparison(db: Database, computerId: number): Promise<ComparisonOfComputer> {
  const countOf = (condition: RawBuilder<boolean>) =>
    sql`(select count(distinct product_id)::integer from (${componentsOf(computerId)}) as own where ${condition})`
  const { rows } = await sql<ComparisonOfComputer>`
    select (
        select system.platform from computers
          join system_platforms system on system.os_name = computers.os_name
            and system.os_version = coalesce(computers.os_version, '')
        where computers.id = ${computerId}) as platform,
      ${countOf(sql<boolean>`true`)} as "comparedPackages",
      ${countOf(sql<boolean>`match_kind = 'PackageName'`)} as "assumedPackages",
      (select count(*)::integer from installed_software where computer_id = ${computerId}) as "installedPackages"`.execute(
    db,
  )
  const [described] = rows
  if (!described) throw computerNotFound({ clientId: computerId })
  return described
}
