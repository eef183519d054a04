import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../database/connect.ts'
import { effectivePmGroups } from '../patches/effective-pm-groups.ts'
import { hasOnlyPreviousScan } from '../patches/missing-patches.ts'
import { effectiveRulings, isReleasedByRuling } from '../patches/policies/effective-rulings.ts'
import { computersWithComponent } from './compare/affected-computers.ts'
import { isCovered } from './exceptions/covered-computers.ts'
import { foundPackages } from './found-packages.ts'

/** How a finding goes away, from what needs nothing more to what nothing is known for. */
export const remedyStates = ['Excepted', 'Released', 'Waiting', 'NeedsPerson', 'Declined', 'NoPatch', 'NoFix'] as const

export type RemedyState = (typeof remedyStates)[number]

/** What removes a vulnerability of a component from a computer, by the advisories of a source. */
export type Remedy = {
  computerId: number
  componentId: number
  vulnerabilityId: number
  sourceId: number
  state: RemedyState
  /** The missing patch that brings the fixed version, if the last scan found one. */
  patchId: number | null
  productId: number | null
  patchName: string | null
  /** When a rule approves it. */
  approvedUtc: Date | null
}

type Findings = {
  vulnerabilityIds: readonly number[]
  /** Only on these computers; on all without it. */
  computerIds?: readonly number[]
  /** Only of these components. */
  componentIds?: readonly number[]
  /** The only patches that may bring a fix, if they are known. */
  patchIds?: readonly number[]
}

/** Of a vulnerability that more computers have, some of them are counted: shares are then right to two of a hundred computers or so. */
const maxCountedComputers = 2_000

const rankOf = (state: string) => sql`array_position(${[...remedyStates]}::text[], ${sql.ref(state)})`

const isAnyOf = (column: string, ids: readonly number[] | undefined) =>
  ids ? sql<boolean>`${sql.ref(column)} = any (${ids}::integer[])` : sql<boolean>`true`

/** The findings, each with the missing patch of the computer that will remove it. */
function remedyRows({ vulnerabilityIds, computerIds, componentIds, patchIds }: Findings): RawBuilder<Remedy> {
  const owners = sql<{ owner_id: number }>`select owner_id from owner`
  return sql<Remedy>`
    with finding as materialized (
      select affected.computer_id, found.component_id, found.vulnerability_id, found.source_id, found.fixed_version,
        found.fixed_key, component.component, component.platform, lower(product.name) as product_name,
        ${isCovered('found.vulnerability_id', 'affected.computer_id', 'component')} as is_excepted
      from ${foundPackages} cross join ${computersWithComponent('component')} as affected
      where ${isAnyOf('found.vulnerability_id', vulnerabilityIds)} and ${isAnyOf('found.component_id', componentIds)}
        and ${isAnyOf('affected.computer_id', computerIds)}
    ), missing as materialized (
      -- Several packages are built from one source. Only the patch of the package itself removes what is found in it.
      select finding.computer_id, finding.component_id, finding.vulnerability_id, finding.source_id, scanned.patch_id,
        scanned.product_id, exists (
          select from patch_components named
          where named.patch_id = scanned.patch_id and named.component =
            split_part(finding.component, '/', 1) || '/' || finding.platform || '/' || finding.product_name) as is_of_product
      from finding
        join patch_components carried on carried.component = finding.component and carried.version_key >= finding.fixed_key
          and ${isAnyOf('carried.patch_id', patchIds)}
        join computer_patches scanned on scanned.computer_id = finding.computer_id and scanned.patch_id = carried.patch_id
          and scanned.is_missing
      where not finding.is_excepted and not ${hasOnlyPreviousScan('finding.computer_id')}
    ), owner as materialized (
      select distinct computer_id as owner_id from missing
    ), ruling as materialized (
      select * from (${effectiveRulings(owners)}) as effective where ${isAnyOf('effective.patch_id', patchIds)}
    ), released as materialized (
      select distinct effective.computer_id, listed.patch_id, listed.product_id
      from (${effectivePmGroups(owners)}) as effective
        join pm_group_patches listed on listed.pm_group_id = effective.pm_group_id
        join patch_links link on link.patch_id = listed.patch_id and link.product_id = listed.product_id
      where (effective.is_test or effective.is_emergency or link.approved_at is not null)
        and ${isAnyOf('listed.patch_id', patchIds)}
    ), looked_up as materialized (
      -- Full joins are hashed. The planner expects a single row, would compare all rows with all others, and may not know better:
      -- coalesce() and the CTE keep it from making left joins of them.
      select missing.*, ruling.policy_id, ruling.action, ruling.approved_from, ruling.ring, ruling.open_ring, ruling.is_paused,
        ruling.is_stopped, released.patch_id is not null as is_released
      from missing
        full join ruling on ruling.computer_id = missing.computer_id and ruling.patch_id = missing.patch_id
          and ruling.product_id = missing.product_id
        full join released on released.computer_id = missing.computer_id and released.patch_id = missing.patch_id
          and released.product_id = missing.product_id
      where coalesce(missing.computer_id, 0) <> 0
    ), decided as (
      select found.*,
        case when found.is_released then 'Released' when found.policy_id is null then 'NeedsPerson'
          when ${isReleasedByRuling('found', 'link')} then 'Released'
          when found.action = 'Decline' or found.is_stopped then 'Declined'
          when found.approved_from is not null then 'Waiting' else 'NeedsPerson' end as state
      from looked_up as found
        join patch_links link on link.patch_id = found.patch_id and link.product_id = found.product_id
    ), best as (
      select distinct on (computer_id, component_id, vulnerability_id, source_id) *
      from decided
      order by computer_id, component_id, vulnerability_id, source_id, is_of_product desc, ${rankOf('state')}, approved_from,
        patch_id, product_id
    )
    select finding.computer_id as "computerId", finding.component_id as "componentId",
      finding.vulnerability_id as "vulnerabilityId", finding.source_id as "sourceId",
      case when finding.is_excepted then 'Excepted' when finding.fixed_version is null then 'NoFix'
        else coalesce(best.state, 'NoPatch') end as state,
      best.patch_id as "patchId", best.product_id as "productId", patches.name as "patchName",
      case when best.state = 'Waiting' and best.approved_from > now() then best.approved_from end as "approvedUtc"
    from finding
      left join best using (computer_id, component_id, vulnerability_id, source_id)
      left join patches on patches.id = best.patch_id`
}

export async function listRemedies(db: Database, findings: Findings): Promise<Remedy[]> {
  const { rows } = await remedyRows(findings).execute(db)
  return rows
}

/** How many computers a vulnerability leaves by which way, and by which patch. */
export type RemedyCount = Pick<Remedy, 'state' | 'patchId' | 'patchName'> & {
  computers: number
  firstUtc: Date | null
  lastUtc: Date | null
}

/**
 * Counts the affected computers by what removes the vulnerability. It is on a computer until the last of its packages is fixed; of
 * several sources, the one that knows most about a package counts. Of very many computers, the numbers are an estimate.
 */
export async function countRemedies(
  db: Database,
  { vulnerabilityId, affectedComputers }: { vulnerabilityId: number; affectedComputers: number },
  maxComputers = maxCountedComputers,
): Promise<{ remedies: RemedyCount[]; areRemediesEstimated: boolean }> {
  const oneIn = Math.max(1, Math.ceil(affectedComputers / maxComputers))
  const patchIds = await listFixingPatches(db, vulnerabilityId)
  const computerIds = oneIn > 1 ? await sampleComputers(db, vulnerabilityId, oneIn) : undefined
  const { rows } = await sql<RemedyCount>`
    with remedy as (${remedyRows({ vulnerabilityIds: [vulnerabilityId], patchIds, ...(computerIds && { computerIds }) })}), of_component as (
      select distinct on ("computerId", "componentId") * from remedy
      order by "computerId", "componentId", ${rankOf('state')}
    ), of_computer as (
      select distinct on ("computerId") * from of_component
      order by "computerId", ${rankOf('state')} desc, "approvedUtc" desc nulls last, "patchId"
    )
    select state, "patchId", "patchName", (count(*) * ${oneIn}::integer)::integer as computers, min("approvedUtc") as "firstUtc",
      max("approvedUtc") as "lastUtc"
    from of_computer group by 1, 2, 3 order by ${rankOf('state')}, 4 desc, "patchId"`.execute(db)
  return { remedies: rows, areRemediesEstimated: oneIn > 1 }
}

/** Every n-th of the computers with any of the products, which may include some that are not affected. */
async function sampleComputers(db: Database, vulnerabilityId: number, oneIn: number): Promise<number[]> {
  const { rows } = await sql<{ computer_id: number }>`
    select distinct installed.computer_id
    from installed_software installed
    where installed.computer_id % ${oneIn}::integer = 0 and installed.product_id = any(array(
      select component.product_id
      from vulnerable_components found join installed_components component on component.id = found.component_id
      where found.vulnerability_id = ${vulnerabilityId}))`.execute(db)
  return rows.map(({ computer_id }) => computer_id)
}

/** Few patches bring a package, whatever the number of computers that lack them. */
async function listFixingPatches(db: Database, vulnerabilityId: number): Promise<number[]> {
  const { rows } = await sql<{ patch_id: number }>`
    select distinct carried.patch_id
    from vulnerable_components found
      join installed_components component on component.id = found.component_id
      join patch_components carried on carried.component = component.component and carried.version_key >= found.fixed_key
    where found.vulnerability_id = ${vulnerabilityId}`.execute(db)
  return rows.map(({ patch_id }) => patch_id)
}

/** Of what is known about packages, what counts for all of them: the package that is fixed last. */
export function latestRemedy<R extends Pick<Remedy, 'componentId' | 'state'>>(remedies: readonly R[]): R | undefined {
  const rank = ({ state }: R) => remedyStates.indexOf(state)
  const ofComponents = new Map<number, R>()
  for (const remedy of remedies) {
    const known = ofComponents.get(remedy.componentId)
    if (!known || rank(remedy) < rank(known)) ofComponents.set(remedy.componentId, remedy)
  }
  return [...ofComponents.values()].toSorted((a, b) => rank(b) - rank(a))[0]
}
