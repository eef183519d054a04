import { sql } from 'kysely'
import type { Database } from '../../database/connect.ts'
import { contactIntervals } from '../agents/agent-schedule.ts'
import { computersBelow } from '../groups/affected-computers.ts'
import { decidesFirst, isPresentRuling, reachedPolicies } from '../patches/policies/effective-rulings.ts'
import { type RingComputers, ringOfComputer } from '../patches/policies/patch-rings.ts'
import { groupsOfPolicy } from './policies.ts'

export type PatchForProduct = { patchId: number; productId: number }

/** The computers of a ring that lack a patch or have it, and what happened to those that got it. */
export type CountedRing = RingComputers & {
  /** Those of `failed` since the patch was last resumed. */
  failing: number
  /** Those that installed the patch since its first ring opened. */
  patched: number
  /** Those of `patched` that fell silent after it, or that have newly failed deployments. */
  silent: number
  troubled: number
  /** The same of the computers that lack the patch, which shows what is usual: of those, and how many there are. */
  silentOthers: number
  troubledOthers: number
  others: number
}

/** A computer that has not been seen since its ring opened no longer counts after this time. */
const awayAfter = sql`interval '24 hours'`

/** An agent is silent after twice its contact interval, but, as a stale one, not before a day. */
const silentAfter = sql`greatest(2 * coalesce(expected.contact_interval, interval '0'), interval '24 hours')`

/** The computers of a policy with their rings, and the policies that decide before it for some of them. */
export type PolicyMembers = {
  computerIds: number[]
  rings: number[]
  /** Pairs of a computer and a policy. */
  precededComputerIds: number[]
  precedingPolicyIds: number[]
}

export async function listPolicyMembers(db: Database, policyId: number): Promise<PolicyMembers> {
  const { rows } = await sql<{ computerId: number; ring: number }>`
    select below.computer_id as "computerId", ${ringOfComputer({
      policyId: sql.ref('counted.id'),
      rings: sql.ref('counted.rings'),
      computerId: sql.ref('below.computer_id'),
    })}::integer as ring
    from patch_policies counted
      cross join (select distinct computer_id from (${computersBelow(groupsOfPolicy(policyId))}) as members) as below
    where counted.id = ${policyId}`.execute(db)
  const computerIds = rows.map(({ computerId }) => computerId)
  const { rows: preceded } = await sql<{ computerId: number; policyId: number }>`
    with reached as materialized (
      select reached.owner_id as computer_id, policy.id as policy_id,
        row_number() over (partition by reached.owner_id order by ${decidesFirst}) as place
      from ${reachedPolicies('computer', sql`select unnest(${computerIds}::integer[]) as owner_id`)}
    ), placed as (
      select reached.*, min(place) filter (where policy_id = ${policyId}) over (partition by computer_id) as own_place from reached
    )
    select distinct computer_id as "computerId", policy_id as "policyId" from placed where place < own_place`.execute(
    db,
  )
  return {
    computerIds,
    rings: rows.map(({ ring }) => ring),
    precededComputerIds: preceded.map(({ computerId }) => computerId),
    precedingPolicyIds: preceded.map((one) => one.policyId),
  }
}

/**
 * Counts the computers of a policy by patch and ring, as their last scans report them. Left out are computers for which another policy
 * decides, and those that lock the patch themselves.
 */
export async function countRings(
  db: Database,
  policyId: number,
  links: readonly PatchForProduct[],
  members: PolicyMembers,
): Promise<(PatchForProduct & CountedRing)[]> {
  // The planner cannot know how many members there are, and would compare each scan with all of them.
  await sql`set local enable_nestloop = off`.execute(db)
  const rows = await readCounts(db, policyId, links, members)
  await sql`set local enable_nestloop = on`.execute(db)
  return rows
}

async function readCounts(
  db: Database,
  policyId: number,
  links: readonly PatchForProduct[],
  members: PolicyMembers,
): Promise<(PatchForProduct & CountedRing)[]> {
  const { rows } = await sql<PatchForProduct & CountedRing>`
    with member as materialized (
      select own.computer_id, own.ring, contact.last_seen_at, ${silentAfter} as silent_after, failure.fix_failed_at, failure.failed_at
      from unnest(${members.computerIds}::integer[], ${members.rings}::integer[]) as own (computer_id, ring)
        left join computer_contacts contact on contact.computer_id = own.computer_id
        left join (${contactIntervals()}) as expected on expected.computer_id = own.computer_id
        left join (${latestFailures}) as failure on failure.computer_id = own.computer_id
    ), progress as materialized (
      select progress.* from patch_ring_progress progress
        join unnest(${links.map(({ patchId }) => patchId)}::integer[], ${links.map(({ productId }) => productId)}::integer[])
          as listed (patch_id, product_id) on listed.patch_id = progress.patch_id and listed.product_id = progress.product_id
      where progress.policy_id = ${policyId}
    ), preceded as materialized (
      select earlier.computer_id, ruling.patch_id, ruling.product_id
      from unnest(${members.precededComputerIds}::integer[], ${members.precedingPolicyIds}::integer[]) as earlier (computer_id, policy_id)
        join (
          select ruling.policy_id, ruling.patch_id, ruling.product_id
          from patch_policy_rulings ruling
            join progress on progress.patch_id = ruling.patch_id and progress.product_id = ruling.product_id
          where ${isPresentRuling('ruling')}
        ) as ruling on ruling.policy_id = earlier.policy_id
    ), named as (
      select progress.patch_id, progress.product_id, member.ring, not scanned.is_missing as is_installed,
        scanned.is_missing and member.ring <= progress.ring and progress.opened_at < now() - ${awayAfter}
          and coalesce(member.last_seen_at < progress.opened_at, true) as is_away,
        -- A fix that failed before the ring opened was for other patches.
        case when scanned.is_missing and member.ring <= progress.ring
          and member.fix_failed_at >= case when member.ring = progress.ring then progress.opened_at else progress.begun_at end
          then member.fix_failed_at end as fix_failed_at,
        case when not scanned.is_missing and member.ring <= progress.ring
          and coalesce(scanned.installed_at, scan.scanned_at) >= progress.begun_at
          then coalesce(scanned.installed_at, scan.scanned_at) end as patched_at,
        member.last_seen_at, member.silent_after, member.failed_at, progress.begun_at,
        coalesce(progress.resumed_at, '-infinity') as resumed_at
      from progress
        join computer_patches scanned on scanned.patch_id = progress.patch_id and scanned.product_id = progress.product_id
        join member on member.computer_id = scanned.computer_id
        join patch_scans scan on scan.computer_id = scanned.computer_id
        left join preceded on preceded.computer_id = scanned.computer_id and preceded.patch_id = scanned.patch_id
          and preceded.product_id = scanned.product_id
      where not (scanned.is_missing and scanned.locked_by is not null) and preceded.computer_id is null
    )
    select patch_id as "patchId", product_id as "productId", ring::integer,
      (count(*) filter (where is_installed))::integer as installed,
      (count(*) filter (where not is_installed))::integer as lacking,
      count(fix_failed_at)::integer as failed, (count(*) filter (where is_away))::integer as away,
      (count(*) filter (where fix_failed_at > resumed_at))::integer as failing,
      count(patched_at)::integer as patched,
      (count(*) filter (where last_seen_at < patched_at + silent_after
        and last_seen_at + silent_after between resumed_at and now()))::integer as silent,
      (count(*) filter (where failed_at > greatest(patched_at, resumed_at) and patched_at is not null))::integer as troubled,
      (count(*) filter (where not is_installed and last_seen_at + silent_after < now()))::integer as "silentOthers",
      (count(*) filter (where not is_installed and failed_at > greatest(begun_at, resumed_at)))::integer as "troubledOthers",
      (count(*) filter (where not is_installed and last_seen_at is not null))::integer as others
    from named group by patch_id, product_id, ring order by patch_id, product_id, ring`.execute(db)
  return rows
}

/** The last failure of a fix package on each computer, and of other packages. Of what is being repeated, the last result counts. */
const latestFailures = sql`
  select failed.computer_id, max(failed.failed_at) filter (where packages.kind = 'PatchFix') as fix_failed_at,
    max(failed.failed_at) filter (where packages.kind <> 'PatchFix') as failed_at
  from (
    select computer_id, package_id, failed_at from deployments where status = 'Failed'
    union all
    select computer_id, package_id, failed_at from deployments where pending_since is not null and result = 'Failed'
  ) as failed join packages on packages.id = failed.package_id
  group by failed.computer_id`
