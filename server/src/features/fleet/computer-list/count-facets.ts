import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../../database/connect.ts'
import { type ComputerFilter, type Facet, hasFilter, isMember, matchesFacets } from './filter.ts'
import { listedGroupKinds } from './groups-of-computer.ts'

/** More values than this are not a choice for people. The rarest are left out. */
const maxValues = 100

export type ValueCount = { value: string | null; count: number }
export type GroupCount = { groupId: string; name: string; path: string; count: number }

export type FacetCounts = {
  /** The number of computers that meet the whole filter. */
  computers: number
  groups: GroupCount[]
} & Record<Facet, ValueCount[]>

const facetValues: Record<Facet, RawBuilder<string | null>> = {
  operatingSystem: sql`summary.operating_system`,
  healthStatus: sql`summary.health_status`,
  agentStatus: sql`summary.agent_status`,
  lastContact: sql`summary.contact_age`,
  issue: sql`issue.name`,
}

/**
 * Counts the computers by the values of each facet. The other facets of the filter apply to a facet, its own values do
 * not: people see what they would get if they chose another value.
 *
 * The fleet is read once and counted by all facets together. There are few combinations of their values, so that the counts
 * of each facet are sums over few rows.
 */
export async function countFacets(
  db: Database,
  filter: ComputerFilter,
  isFound: RawBuilder<boolean>,
): Promise<FacetCounts> {
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
    with combinations as materialized (
      select operating_system, health_status, agent_status, contact_age, issues, count(*) as count
      from computer_summaries summary where ${isMember(filter)} and ${isFound}
      group by 1, 2, 3, 4, 5
    )
    select
      (select coalesce(sum(summary.count), 0)::integer from combinations summary where ${matchesFacets(filter)}) as computers,
      ${sql.join((Object.keys(facetValues) as Facet[]).map(countsOf))},
      ${groupCounts(filter, isFound)} as groups`.execute(db)
  const [counts] = rows
  if (!counts) throw new Error('A select without a from clause returns one row.')
  return counts
}

function groupCounts(filter: ComputerFilter, isFound: RawBuilder<boolean>): RawBuilder<GroupCount[]> {
  const { groupId: _, ...others } = filter
  const matching = hasFilter(others)
    ? sql`where member.computer_id in (
        select summary.computer_id from computer_summaries summary where ${matchesFacets(filter)} and ${isFound})`
    : sql``
  return sql<GroupCount[]>`(
    select coalesce(jsonb_agg(jsonb_build_object('groupId', id, 'name', name, 'path', path, 'count', count)
      order by count desc, path, id), '[]')
    from (
      select groups.id, groups.name, groups.path, counted.count
      from (
        select member.group_id, count(*) as count from group_computers member ${matching} group by member.group_id
      ) as counted join groups on groups.id = counted.group_id and ${listedGroupKinds}
      order by counted.count desc, groups.path, groups.id limit ${maxValues}
    ) as listed)`
}
