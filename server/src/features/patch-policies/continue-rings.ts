import { compositeKey } from '@muster/text'
import { type RawBuilder, sql } from 'kysely'
import { tryLockForTransaction } from '../../database/advisory-locks.ts'
import type { Database } from '../../database/connect.ts'
import { computersBelow } from '../groups/affected-computers.ts'
import { cancelUnneededFixWork } from '../patch-management/remediate.ts'
import { missingPatches } from '../patches/missing-patches.ts'
import { isPresentRuling } from '../patches/policies/effective-rulings.ts'
import type { PatchRing, RingComputers } from '../patches/policies/patch-rings.ts'
import {
  type CountedRing,
  countRings,
  listPolicyMembers,
  type PatchForProduct,
  type PolicyMembers,
} from './count-rings.ts'
import { nextRingStep, type PatchRingStep } from './next-ring-step.ts'
import { groupsOfPolicy } from './policies.ts'

/** As many patches are counted in one transaction. */
const maxPatches = 50

/**
 * Begins the rings of patches that policies with rings approve and computers lack, counts the computers of all that are not completed,
 * and opens the next ring or pauses the patch. One node does so at a time. Returns how many patches it moved or paused.
 */
export async function continuePatchRings(db: Database, signal?: AbortSignal): Promise<number> {
  const { rows: policies } = await sql<{ id: number }>`
    select id from patch_policies where rings <> '[]' and exists (
      select from patch_policy_assignments where policy_id = patch_policies.id) order by id`.execute(db)
  let moved = 0
  for (const { id } of policies) {
    const isUnfinished = await db.transaction().execute(async (tx) => {
      if (!(await lockRings(tx))) return false
      await recordBegun(tx, id)
      const { rows } = await lockUnfinished(id, { patchId: 0, productId: 0 }, 1).execute(tx)
      return rows.length > 0
    })
    if (isUnfinished && !signal?.aborted) moved += await continuePolicy(db, id, signal)
  }
  return moved
}

async function continuePolicy(db: Database, policyId: number, signal: AbortSignal | undefined): Promise<number> {
  const members = await listPolicyMembers(db, policyId)
  let moved = 0
  let last: PatchForProduct | undefined = { patchId: 0, productId: 0 }
  while (last && !signal?.aborted) {
    const after: PatchForProduct = last
    const batch = await db.transaction().execute((tx) => continueBatch(tx, policyId, { after, members }))
    moved += batch.moved
    last = batch.last
  }
  return moved
}

const lockRings = (db: Database) => tryLockForTransaction(db, 'patchRings')

/** What a person approves is released to all rings at once. */
const isApprovedByRuleOnly = (ruling: string, link: string) => sql<boolean>`
  ${isPresentRuling(ruling)} and ${sql.ref(`${ruling}.approved_from`)} <= now() and ${sql.ref(`${link}.approved_at`)} is null`

/** Reads what the computers of the policy lack only if a patch that somebody lacks has not begun, by the last count of the fleet. */
async function recordBegun(db: Database, policyId: number): Promise<void> {
  await sql`
    with candidate as materialized (
    select ruling.policy_id, ruling.patch_id, ruling.product_id
    from patch_policy_rulings ruling
      join patch_counts counted on counted.patch_id = ruling.patch_id and counted.product_id = ruling.product_id
      join patch_links link on link.patch_id = ruling.patch_id and link.product_id = ruling.product_id
    where ruling.policy_id = ${policyId} and counted.missing > 0 and ${isApprovedByRuleOnly('ruling', 'link')}
      and not exists (
        select from patch_ring_progress known where known.policy_id = ruling.policy_id
          and known.patch_id = ruling.patch_id and known.product_id = ruling.product_id)
    ), lacked as materialized (
      select distinct missing.patch_id, missing.product_id
      from (select distinct computer_id from (${computersBelow(groupsOfPolicy(policyId))}) as below) as member
        join (${missingPatches}) as missing on missing.computer_id = member.computer_id
      where exists (select from candidate)
    )
    insert into patch_ring_progress (policy_id, patch_id, product_id)
    select candidate.policy_id, candidate.patch_id, candidate.product_id
    from candidate join lacked on lacked.patch_id = candidate.patch_id and lacked.product_id = candidate.product_id
    order by candidate.patch_id, candidate.product_id
    on conflict do nothing`.execute(db)
}

type Unfinished = PatchForProduct & {
  rings: PatchRing[]
  approvedAt: Date
  ring: number
  openedAt: Date | null
  metAt: Date | null
  resumedAt: Date | null
  isPaused: boolean
  counts: RingComputers[]
}

async function continueBatch(
  db: Database,
  policyId: number,
  { after, members }: { after: PatchForProduct; members: PolicyMembers },
): Promise<{ moved: number; last?: PatchForProduct }> {
  if (!(await lockRings(db))) return { moved: 0 }
  const { rows } = await lockUnfinished(policyId, after, maxPatches).execute(db)
  if (rows.length === 0) return { moved: 0 }
  const counted = Map.groupBy(await countRings(db, policyId, rows, members), keyOf)
  const { rows: times } = await sql<{ now: Date }>`select now()`.execute(db)
  const now = times[0]?.now ?? new Date()
  const paused: PatchForProduct[] = []
  let moved = 0
  for (const item of rows) {
    const counts = (counted.get(keyOf(item)) ?? []).map(({ patchId: _, productId: __, ...ring }) => ring)
    const step: PatchRingStep = item.isPaused
      ? { kind: 'Wait' }
      : nextRingStep({ ...item, now, openRing: item.ring, counts })
    await recordStep(db, { policyId, ...item }, step, counts)
    if (step.kind === 'Pause') paused.push(item)
    if (step.kind === 'Pause' || step.kind === 'OpenRing') moved++
  }
  if (paused.length > 0) await cancelUnneededFixWork(db, computersLacking(paused))
  const end = rows.length < maxPatches ? undefined : rows.at(-1)
  return { moved, ...(end && { last: end }) }
}

const keyOf = ({ patchId, productId }: PatchForProduct) => compositeKey(patchId, productId)

/** The computers that lack a patch, for changes of their fix work. */
export const computersLacking = (links: readonly PatchForProduct[]): RawBuilder<{ owner_id: number }> => sql`
  select missing.computer_id as owner_id from computer_patches missing
    join unnest(${links.map(({ patchId }) => patchId)}::integer[], ${links.map(({ productId }) => productId)}::integer[])
      as listed (patch_id, product_id) on listed.patch_id = missing.patch_id and listed.product_id = missing.product_id
  where missing.is_missing`

/** The computers that have a patch, for changes of their fix work; at most as many as the limit. */
export const computersHaving = (
  links: readonly PatchForProduct[],
  limit: number | null = null,
): RawBuilder<{ owner_id: number }> => sql`
  select owner_id from (
    select distinct scanned.computer_id as owner_id from computer_patches scanned
      join unnest(${links.map(({ patchId }) => patchId)}::integer[], ${links.map(({ productId }) => productId)}::integer[])
        as listed (patch_id, product_id) on listed.patch_id = scanned.patch_id and listed.product_id = scanned.product_id
    where not scanned.is_missing order by owner_id limit ${limit}::integer) as having_it`

const lockUnfinished = (policyId: number, { patchId, productId }: PatchForProduct, limit: number) => sql<Unfinished>`
  select progress.patch_id as "patchId", progress.product_id as "productId", policy.rings, ruling.approved_from as "approvedAt",
    progress.ring, progress.opened_at as "openedAt", progress.met_at as "metAt", progress.resumed_at as "resumedAt",
    progress.paused_at is not null as "isPaused", progress.counts
  from patch_ring_progress progress
    join patch_policies policy on policy.id = progress.policy_id
    join patch_policy_rulings ruling on ruling.policy_id = progress.policy_id and ruling.patch_id = progress.patch_id
      and ruling.product_id = progress.product_id
    join patch_links link on link.patch_id = progress.patch_id and link.product_id = progress.product_id
  where progress.policy_id = ${policyId} and progress.completed_at is null and progress.stopped_at is null
    and (progress.patch_id, progress.product_id) > (${patchId}::integer, ${productId}::integer)
    and ${isApprovedByRuleOnly('ruling', 'link')}
  order by progress.patch_id, progress.product_id limit ${limit} for update of progress`

/** Writes only what has changed. */
async function recordStep(
  db: Database,
  item: Unfinished & { policyId: number },
  step: PatchRingStep,
  counted: readonly CountedRing[],
): Promise<void> {
  const counts = counted.map(({ ring, installed, lacking, failed, away }) => ({
    ring,
    installed,
    lacking,
    failed,
    away,
  }))
  if (step.kind === 'Wait' && JSON.stringify(counts) === JSON.stringify(item.counts.map(inOrder))) return
  await sql`
    update patch_ring_progress set counts = ${JSON.stringify(counts)}::jsonb ${changesOf(step)}
    where policy_id = ${item.policyId} and patch_id = ${item.patchId} and product_id = ${item.productId}`.execute(db)
}

/** JSON of the database has its keys in another order. */
const inOrder = ({ ring, installed, lacking, failed, away }: RingComputers) => ({
  ...{ ring, installed, lacking, failed, away },
})

function changesOf(step: PatchRingStep): RawBuilder<unknown> {
  switch (step.kind) {
    case 'Pause':
      return sql`, paused_at = now(), pause = ${JSON.stringify(step.pause)}::jsonb`
    case 'OpenRing':
      return sql`, ring = ${step.ring}::smallint, opened_at = now(), begun_at = coalesce(begun_at, now()), met_at = null`
    case 'RecordMet':
      return sql`, met_at = now()`
    case 'RecordNotMet':
      return sql`, met_at = null`
    case 'Complete':
      return sql`, met_at = coalesce(met_at, now()), completed_at = now()`
    case 'Wait':
      return sql``
  }
}
