import { sql } from 'kysely'
import type { Database } from '../../database/connect.ts'
import { invalidPart } from '../../platform/validation.ts'
import { completeRing, type GivenPatchRing, type PatchRing } from '../patches/policies/patch-rings.ts'

/** Checks the rules that the schema of rings cannot express, and fills in defaults. */
export async function parsePatchRings(db: Database, rings: readonly GivenPatchRing[]): Promise<PatchRing[]> {
  let percent = 0
  for (const [at, ring] of rings.entries()) {
    const isLast = at === rings.length - 1
    const fault = (message: string) => invalidPart('body', `rings.${at}`, message)
    if (ring.groupId !== undefined && ring.percent !== undefined)
      throw fault('must have only one of percent and groupId')
    const isRest = ring.groupId === undefined && ring.percent === undefined
    if (isLast && !isRest) throw fault('is the last one and takes the rest: it must have neither percent nor groupId')
    if (!isLast && isRest) throw fault('must have percent or groupId, unless it is the last')
    percent += ring.percent ?? 0
    if (percent >= 100) throw fault('leaves no computers to the rings after it: the percentages add up')
  }
  await requireRingGroups(db, rings)
  return rings.map(completeRing)
}

async function requireRingGroups(db: Database, rings: readonly GivenPatchRing[]): Promise<void> {
  const ids = rings.flatMap(({ groupId }) => (groupId === undefined ? [] : [groupId]))
  if (ids.length === 0) return
  const found = await db.selectFrom('groups').select('id').where('id', 'in', ids).execute()
  const missing = rings.findIndex(
    ({ groupId }) => groupId !== undefined && !found.some(({ id }) => id === groupId.toLowerCase()),
  )
  if (missing >= 0) throw invalidPart('body', `rings.${missing}.groupId`, 'is not the id of a group')
}

/**
 * Brings what a policy has released in line with the rings that it is about to get. What was released to everybody stays released to everybody, also where there were no rings. Of the
 * other patches, the number of the open ring stays, but the last ring opens only by its gate.
 */
export async function adaptProgress(db: Database, policyId: number, rings: readonly PatchRing[]): Promise<void> {
  const { rows } = await sql<{ count: number; isSame: boolean }>`
    select jsonb_array_length(rings) as count, rings = ${JSON.stringify(rings)}::jsonb as "isSame"
    from patch_policies where id = ${policyId}`.execute(db)
  const { count: before, isSame } = rows[0] ?? { count: 0, isSame: true }
  if (isSame) return
  if (before === 0) await recordReleasedBefore(db, policyId, rings.length)
  else await keepOpenRings(db, policyId, { before, after: rings.length })
}

/** What a policy without rings has approved is open to all rings that it gets. */
async function recordReleasedBefore(db: Database, policyId: number, ring: number): Promise<void> {
  await sql`
    insert into patch_ring_progress (policy_id, patch_id, product_id, ring, begun_at, opened_at, completed_at)
    select policy_id, patch_id, product_id, ${ring}::smallint, now(), now(), now() from patch_policy_rulings
    where policy_id = ${policyId} and valid_from <= now() and now() < valid_until and approved_from <= now()
    order by patch_id, product_id
    on conflict on constraint patch_ring_progress_pkey do update set ring = excluded.ring, begun_at = excluded.begun_at,
      opened_at = excluded.opened_at, completed_at = excluded.completed_at, met_at = null, counts = '[]'`.execute(db)
}

async function keepOpenRings(
  db: Database,
  policyId: number,
  { before, after }: { before: number; after: number },
): Promise<void> {
  if (after === 0)
    await sql`
      delete from patch_ring_progress where policy_id = ${policyId} and paused_at is null and stopped_at is null`.execute(
      db,
    )
  await sql`
    update patch_ring_progress set counts = '[]', met_at = null, ring = kept.ring,
      begun_at = case when kept.ring > 0 then begun_at end, opened_at = case when kept.ring > 0 then opened_at end,
      completed_at = case when kept.ring = ${after}::integer then completed_at end
    from (
      select patch_id, product_id,
        case when ring >= ${before}::integer then ${after}::integer else least(ring, greatest(${after}::integer - 1, 0)) end as ring
      from patch_ring_progress where policy_id = ${policyId} order by patch_id, product_id for update
    ) as kept
    where patch_ring_progress.policy_id = ${policyId} and patch_ring_progress.patch_id = kept.patch_id
      and patch_ring_progress.product_id = kept.product_id`.execute(db)
}
