import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../../database/connect.ts'
import { isCovered, isInForce } from '../exceptions/covered-computers.ts'
import { computersWithComponent } from './affected-computers.ts'

/**
 * Counts the computers that each vulnerability affects, and records when the first was found and since when there is none. Most
 * vulnerabilities of a package affect the same versions of it, so the computers of each set of components are counted once.
 */
export async function countVulnerableComputers(db: Database): Promise<void> {
  await sql`
    with affected as materialized (
      select vulnerability_id, array_agg(distinct component_id order by component_id) as components,
        bool_or(fixed_version is not null) as has_fix
      from vulnerable_components group by vulnerability_id
    ), sets as materialized (
      select row_number() over () as number, components from (select distinct components from affected) as distinct_sets
    ), platforms as materialized (
      select computers.id as computer_id, system.platform
      from computers join system_platforms system on system.os_name = computers.os_name
        and system.os_version = coalesce(computers.os_version, '')
      where system.platform is not null
    ), members as (
      select sets.number, installed.computer_id
      from sets cross join lateral unnest(sets.components) as member (component_id)
        join installed_components component on component.id = member.component_id
        join installed_software installed on installed.product_id = component.product_id
        join platforms on platforms.computer_id = installed.computer_id and platforms.platform = component.platform
    ), sizes as materialized (
      select number, count(distinct computer_id)::integer as computers from members group by number
    ), counted as (
      select affected.vulnerability_id, affected.has_fix, coalesce(sizes.computers, 0) as computers
      from affected join sets on sets.components = affected.components left join sizes on sizes.number = sets.number
    )
    ${record(sql`select v.id, coalesce(counted.computers, 0) as computers, coalesce(counted.has_fix, false) as has_fix,
        coalesce(counted.computers, 0) as open
      from vulnerabilities v left join counted on counted.vulnerability_id = v.id
      where counted.computers > 0 or v.first_seen_at is not null`)}`.execute(db)
  await countOpenComputers(
    db,
    sql`select distinct vulnerability_id from vulnerability_exceptions exception
    where ${isInForce('exception')}`,
  )
  await sql`update vulnerability_state set counted_at = now(), count_is_due = false`.execute(db)
}

/** Counts again what exceptions leave open. */
export async function countOpenComputers(db: Database, vulnerabilities: RawBuilder<unknown>): Promise<void> {
  await sql`
    update vulnerabilities v set open_computers = counted.open
    from (
      select named.id, (
          select count(distinct affected.computer_id)
            filter (where not ${isCovered('named.id', 'affected.computer_id', 'component')})
          from vulnerable_components found
            join installed_components component on component.id = found.component_id
            cross join ${computersWithComponent('component')} as affected
          where found.vulnerability_id = named.id)::integer as open
      from vulnerabilities named where named.id in (${vulnerabilities})
    ) as counted
    where v.id = counted.id and v.open_computers <> counted.open`.execute(db)
}

/** Records the counts of a query with the columns `id`, `computers`, `open` and `has_fix`. */
const record = (counts: RawBuilder<unknown>) => sql`
  update vulnerabilities v
  set affected_computers = counts.computers, has_fix = counts.has_fix,
    -- Where exceptions are in force, the statement that follows counts what is open.
    open_computers = case when exists (
        select from vulnerability_exceptions exception
        where exception.vulnerability_id = v.id and ${isInForce('exception')})
      then least(v.open_computers, counts.open) else counts.open end,
    first_seen_at = case when counts.computers > 0 then coalesce(v.first_seen_at, now()) else v.first_seen_at end,
    fixed_at = case when counts.computers > 0 then null else coalesce(v.fixed_at, now()) end
  from (${counts}) as counts
  where v.id = counts.id and (v.affected_computers <> counts.computers or v.open_computers <> counts.open
    or v.has_fix <> counts.has_fix or (counts.computers = 0) <> (v.fixed_at is not null))`
