import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../../database/connect.ts'
import { isCovered, isInForce } from '../exceptions/covered-computers.ts'
import { computersWithComponent, countsOn } from './affected-computers.ts'
import { ComponentSets, type ComputerProfile } from './component-sets.ts'

/** The computers that are read by one statement, unless few installations are counted. */
const computersPerSlice = 5_000
const maxInstallationsOfOneSlice = 2_000_000

/**
 * Counts the computers that vulnerabilities affect, and records when the first was found and since when there is none. Without
 * `vulnerabilityIds`, all are counted. The number of statements grows with the fleet, and not the time of each.
 */
export async function countVulnerableComputers(db: Database, vulnerabilityIds?: readonly number[]): Promise<void> {
  const isCounted = (column: string) =>
    vulnerabilityIds ? sql<boolean>`${sql.ref(column)} = any (${vulnerabilityIds}::integer[])` : sql<boolean>`true`
  const sets = await readComponentSets(db, isCounted('vulnerability_id'))
  const isOneSlice = await hasFewInstallations(db, sets)
  for (let from = 0; sets.members.length > 0; ) {
    const to = isOneSlice ? null : await findEndOfSlice(db, from)
    for (const profile of await readProfiles(db, sets, from, to)) sets.count(profile)
    if (to === null) break
    from = to
  }
  await recordCounts(db, sets, isCounted('v.id'))
  const { rows } = await sql<{ id: number }>`
    select distinct vulnerability_id as id from vulnerability_exceptions exception
    where ${isInForce('exception')} and ${isCounted('vulnerability_id')} order by 1`.execute(db)
  for (const { id } of rows) await countOpenComputers(db, id)
  if (!vulnerabilityIds) await sql`update vulnerability_state set counted_at = now(), count_is_due = false`.execute(db)
}

async function readComponentSets(db: Database, isCounted: RawBuilder<boolean>): Promise<ComponentSets> {
  const sets = await sql<{ components: number[]; vulnerabilities: number[] }>`
    select components, array_agg(vulnerability_id) as vulnerabilities
    from (
      select vulnerability_id, array_agg(distinct component_id order by component_id) as components
      from vulnerable_components where ${isCounted} group by vulnerability_id
    ) as affected
    group by components`.execute(db)
  const components = await sql<{ id: number; component: string }>`
    select id, component from installed_components
    where id in (select component_id from vulnerable_components where ${isCounted})`.execute(db)
  return new ComponentSets(sets.rows, new Map(components.rows.map(({ id, component }) => [id, component])))
}

/** Whether the index of the products leads to fewer rows than reading the software of all computers. */
async function hasFewInstallations(db: Database, { members }: ComponentSets): Promise<boolean> {
  const { rows } = await sql<{ installations: number }>`
    select count(*)::integer as installations
    from (
      select from installed_software
      where product_id in (
        select product_id from installed_components
        where id = any (${members.map(({ componentId }) => componentId)}::integer[]))
      limit ${maxInstallationsOfOneSlice + 1}::integer
    ) as found`.execute(db)
  return (rows[0]?.installations ?? 0) <= maxInstallationsOfOneSlice
}

/** The last computer of the slice after a computer; null if no computer is left after it. */
async function findEndOfSlice(db: Database, from: number): Promise<number | null> {
  const { rows } = await sql<{ id: number }>`
    select id from computers where id > ${from} order by id offset ${computersPerSlice} limit 1`.execute(db)
  return rows[0]?.id ?? null
}

/** What of the vulnerable components is together on computers. */
async function readProfiles(
  db: Database,
  { members }: ComponentSets,
  from: number,
  to: number | null,
): Promise<ComputerProfile[]> {
  const { rows } = await sql<ComputerProfile>`
    select family, components, count(*)::integer as computers
    from (
      select installed.computer_id, member.family, array_agg(component.id order by component.id) as components
      from unnest(${members.map(({ componentId }) => componentId)}::integer[],
          ${members.map(({ family }) => family)}::integer[]) as member (component_id, family)
        join installed_components component on component.id = member.component_id
        join installed_software installed on installed.product_id = component.product_id
        join computers on computers.id = installed.computer_id
        join system_platforms system on system.os_name = computers.os_name
          and system.os_version = coalesce(computers.os_version, '') and ${countsOn('system', 'component')}
      where computers.id > ${from} and computers.id <= coalesce(${to}::integer, 2147483647)
      group by installed.computer_id, member.family
    ) as profile
    group by family, components`.execute(db)
  return rows
}

async function recordCounts(db: Database, sets: ComponentSets, isCounted: RawBuilder<boolean>): Promise<void> {
  const counts = sets.listCounts()
  await sql`
    with counted as materialized (
      select * from unnest(${counts.map(({ vulnerabilityId }) => vulnerabilityId)}::integer[],
        ${counts.map(({ computers }) => computers)}::integer[]) as counted (vulnerability_id, computers)
    ), fixable as materialized (
      select distinct vulnerability_id from vulnerable_components where fixed_version is not null
    ), counts as materialized (
      select v.id, coalesce(counted.computers, 0) as computers, fixable.vulnerability_id is not null as has_fix
      from vulnerabilities v
        left join counted on counted.vulnerability_id = v.id
        left join fixable on fixable.vulnerability_id = v.id
      where ${isCounted} and (counted.computers > 0 or v.first_seen_at is not null)
    )
    update vulnerabilities v
    set affected_computers = counts.computers, has_fix = counts.has_fix,
      -- Where exceptions are in force, the statement that follows counts what is open.
      open_computers = case when exists (
          select from vulnerability_exceptions exception
          where exception.vulnerability_id = v.id and ${isInForce('exception')})
        then least(v.open_computers, counts.computers) else counts.computers end,
      first_seen_at = case when counts.computers > 0 then coalesce(v.first_seen_at, now()) else v.first_seen_at end,
      fixed_at = case when counts.computers > 0 then null else coalesce(v.fixed_at, now()) end
    from counts
    where v.id = counts.id and (v.affected_computers <> counts.computers or v.open_computers <> counts.computers
      or v.has_fix <> counts.has_fix or (counts.computers = 0) <> (v.fixed_at is not null))`.execute(db)
}

/** Counts again what exceptions leave open of a vulnerability. */
export async function countOpenComputers(db: Database, vulnerabilityId: number): Promise<void> {
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
      from vulnerabilities named where named.id = ${vulnerabilityId}
    ) as counted
    where v.id = counted.id and v.open_computers <> counted.open`.execute(db)
}
