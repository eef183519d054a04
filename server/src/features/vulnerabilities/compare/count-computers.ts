import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../../database/connect.ts'
import { isCovered, isInForce } from '../exceptions/covered-computers.ts'
import { computersWithComponent } from './affected-computers.ts'
import { ComponentSets, type ComputerProfile, positionsOfMask, type SetMember } from './component-sets.ts'

/** So many computers are read by one statement, unless few installations are counted. */
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
  await countProfiles(db, sets)
  await recordCounts(db, sets, isCounted('v.id'))
  const { rows } = await sql<{ id: number }>`
    select distinct vulnerability_id as id from vulnerability_exceptions exception
    where ${isInForce('exception')} and ${isCounted('vulnerability_id')} order by 1`.execute(db)
  for (const { id } of rows) await countOpenComputers(db, id)
  if (!vulnerabilityIds) await sql`update vulnerability_state set counted_at = now(), count_is_due = false`.execute(db)
}

async function countProfiles(db: Database, sets: ComponentSets): Promise<void> {
  const members = [...sets.masked, ...sets.others]
  if (members.length === 0) return
  const isOneSlice = await hasFewInstallations(db, members)
  // The planner believes that few rows are grouped, and would sort them.
  await sql`select set_config('enable_sort', 'off', true)`.execute(db)
  for (let from: number | null = 0; from !== null; ) {
    const to: number | null = isOneSlice ? null : await findEndOfSlice(db, from)
    for (const profile of await readMaskedProfiles(db, sets.masked, from, to)) sets.count(profile)
    for (const profile of await readOtherProfiles(db, sets.others, from, to)) sets.count(profile)
    from = to
  }
  await sql`select set_config('enable_sort', 'on', true)`.execute(db)
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
async function hasFewInstallations(db: Database, members: readonly SetMember[]): Promise<boolean> {
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

/** Which positions of a family are together on computers, as one bit for each. */
async function readMaskedProfiles(
  db: Database,
  members: readonly SetMember[],
  from: number,
  to: number | null,
): Promise<ComputerProfile[]> {
  const mask = sql<number>`bit_or(1::bigint << member.position)`
  const profiles = await readProfiles(db, members, mask, from, to)
  return profiles.map(({ signature, ...profile }) => ({ ...profile, positions: positionsOfMask(signature) }))
}

/** The same for families with too many positions. */
async function readOtherProfiles(
  db: Database,
  members: readonly SetMember[],
  from: number,
  to: number | null,
): Promise<ComputerProfile[]> {
  const list = sql<number[]>`array_agg(distinct member.position order by member.position)`
  const profiles = await readProfiles(db, members, list, from, to)
  return profiles.map(({ signature, ...profile }) => ({ ...profile, positions: signature }))
}

async function readProfiles<Signature>(
  db: Database,
  members: readonly SetMember[],
  signature: RawBuilder<Signature>,
  from: number,
  to: number | null,
) {
  if (members.length === 0) return []
  const { rows } = await sql<{ family: number; signature: Signature; computers: number }>`
    select family, signature, count(*)::integer as computers
    from (
      select installed.computer_id, member.family, ${signature} as signature
      from unnest(${members.map(({ componentId }) => componentId)}::integer[],
          ${members.map(({ family }) => family)}::integer[], ${members.map(({ position }) => position)}::integer[])
          as member (component_id, family, position)
        join installed_components component on component.id = member.component_id
        join installed_software installed on installed.product_id = component.product_id
        join computers on computers.id = installed.computer_id
        join system_platforms system on system.os_name = computers.os_name
          and system.os_version = coalesce(computers.os_version, '') and system.platform = component.platform
      where computers.id > ${from} and computers.id <= coalesce(${to}::integer, 2147483647)
      group by installed.computer_id, member.family
    ) as profile
    group by family, signature`.execute(db)
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
          select count(distinct affected.computer_id) filter (where not ${isCovered('named.id', 'affected.computer_id')})
          from vulnerable_components found
            join installed_components component on component.id = found.component_id
            cross join ${computersWithComponent('component')} as affected
          where found.vulnerability_id = named.id)::integer as open
      from vulnerabilities named where named.id = ${vulnerabilityId}
    ) as counted
    where v.id = counted.id and v.open_computers <> counted.open`.execute(db)
}
