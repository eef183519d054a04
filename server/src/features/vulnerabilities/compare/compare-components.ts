import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../../database/connect.ts'

/** What is compared: the components of some inventories with all advisories, or all components with the advisories of a source. */
export type Comparison = { componentIds: readonly number[] } | { sourceId: number }

/**
 * Compares installed components with advisories, and records which have vulnerabilities. Each version is compared once for
 * the whole fleet. Returns the vulnerabilities for which anything has changed.
 */
export async function compareComponents(db: Database, comparison: Comparison): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    with found as materialized (
      select distinct on (installed.id, range.vulnerability_id, range.source_id)
        installed.id as component_id, range.vulnerability_id, range.source_id, range.advisory, range.fixed_version,
        range.fixed_key
      from vulnerable_ranges range
        join vulnerability_sources source on source.id = range.source_id and source.snapshot = range.snapshot
        join installed_components installed on installed.component = range.component
      where ${within(comparison, 'installed.id', 'range.source_id')} and ${isInRange}
      order by installed.id, range.vulnerability_id, range.source_id, range.fixed_key desc nulls last, range.advisory
    ), gone as (
      -- By grouping and by place, not by joins: the planner does not know how many are found, and might compare each known one with
      -- all of them.
      delete from vulnerable_components where ctid = any (array(
        select min(place) from (
          select known.ctid as place, component_id, vulnerability_id, source_id from vulnerable_components known
          where ${within(comparison, 'known.component_id', 'known.source_id')}
          union all select null, component_id, vulnerability_id, source_id from found
        ) as finding
        group by component_id, vulnerability_id, source_id having count(*) = count(place)))
      returning vulnerability_id
    ), written as (
      insert into vulnerable_components as known (component_id, vulnerability_id, source_id, advisory, fixed_version,
        fixed_key)
      select component_id, vulnerability_id, source_id, advisory, fixed_version, fixed_key from found
      on conflict on constraint vulnerable_components_pkey do update
        set advisory = excluded.advisory, fixed_version = excluded.fixed_version, fixed_key = excluded.fixed_key
        where (known.advisory, known.fixed_version, known.fixed_key)
          is distinct from (excluded.advisory, excluded.fixed_version, excluded.fixed_key)
      returning vulnerability_id
    )
    select vulnerability_id as id from gone union select vulnerability_id from written`.execute(db)
  return rows.map(({ id }) => id)
}

function within(comparison: Comparison, componentId: string, sourceId: string): RawBuilder<boolean> {
  return 'sourceId' in comparison
    ? sql<boolean>`${sql.ref(sourceId)} = ${comparison.sourceId}`
    : sql<boolean>`${sql.ref(componentId)} = any (${comparison.componentIds}::integer[])`
}

const isInRange = sql<boolean>`installed.stream = range.stream
  and (range.introduced_key is null or installed.version_key >= range.introduced_key)
  and (range.fixed_key is null or installed.version_key < range.fixed_key)
  and (range.last_affected_key is null or installed.version_key <= range.last_affected_key)`
