import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../../database/connect.ts'
import { countCombinations, storedCombinations } from '../../issues/states/state-combinations.ts'
import { type ComputerFilter, type Facet, hasOnlyFacets, matchesBeyondFacets, matchesFacets } from './filter.ts'

/** More values than this are not a choice for people. The rarest are left out. */
const maxValues = 100

export type ValueCount = { value: string | null; count: number }

export type FacetCounts = {
  /** The number of computers that meet the whole filter. */
  computers: number
} & Record<Facet, ValueCount[]>

const facetValues: Record<Facet, RawBuilder<string | null>> = {
  operatingSystem: sql`summary.operating_system`,
  healthStatus: sql`summary.health_status`,
  agentStatus: sql`summary.agent_status`,
  lastContact: sql`summary.contact_age`,
  connection: sql`summary.connection`,
  issue: sql`issue.name`,
  patchAge: sql`summary.patch_age`,
  missingSeverity: sql`summary.missing_severity`,
  nextContact: sql`summary.next_contact`,
}

/**
 * Counts the computers by the values of each facet. The other facets of the filter apply to a facet, its own values do
 * not: people see what they would get if they chose another value.
 *
 * Computers are counted by all facets together. There are few combinations of their values, so the counts of each facet
 * are sums over few rows. Those of the whole fleet are stored at each count of the fleet.
 */
export async function countFacets(
  db: Database,
  filter: ComputerFilter,
  isFound: RawBuilder<boolean>,
): Promise<FacetCounts> {
  const isWholeFleet = hasOnlyFacets(filter)
  const countsOf = (facet: Facet) => sql`(
    select coalesce(jsonb_agg(jsonb_build_object('value', value, 'count', count) order by count desc, value), '[]')
    from (
      select ${facetValues[facet]} as value, sum(summary.count) as count
      from combinations summary
        ${facet === 'issue' ? sql`cross join unnest(summary.issues) as issue (name)` : sql``}
      where ${matchesFacets(filter, facet)}
      group by 1 order by 2 desc, 1 limit ${maxValues}
    ) as counted) as ${sql.ref(facet)}`
  const { rows } = await sql<FacetCounts>`
    with combinations as materialized (${
      isWholeFleet ? storedCombinations : countCombinations(sql<boolean>`${matchesBeyondFacets(filter)} and ${isFound}`)
    })
    select
      (select coalesce(sum(summary.count), 0)::integer from combinations summary where ${matchesFacets(filter)}) as computers,
      ${sql.join((Object.keys(facetValues) as Facet[]).map(countsOf))}`.execute(db)
  const [counts] = rows
  if (!counts) throw new Error('A select without a from clause returns one row.')
  return counts
}
