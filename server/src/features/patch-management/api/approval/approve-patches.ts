import { sql } from 'kysely'
import type { Database } from '../../../../database/connect.ts'
import { requireRole } from '../../../../platform/authentication/authenticate.ts'
import { forbidden } from '../../../../platform/general-problems.ts'
import { ok, operation } from '../../../../platform/operation.ts'
import { requestDownloadsInUse } from '../../../patches/files/request-downloads.ts'
import { requirePatches } from '../../../patches/patch-rows.ts'
import { patchNotFound, pmGroupNotFound } from '../../../patches/problems.ts'
import { lockPmGroup } from '../../pm-groups.ts'
import { computersReachedBy, countReachedBy, linksOf } from '../../reached-computers.ts'
import { ApprovePatchesRequest, type NamedPatch, PatchApprovals, type PatchLink } from './schemas.ts'

const maxNamed = 20

export const approvePatches = operation({
  id: 'approvePatches',
  route: 'POST /api/fleet/patches/approval',
  summary: 'Approve several patches for all their product versions',
  description:
    'Does for each product version of each patch what approvePatch does, wholly or not at all. With `pmGroupId`, it also adds the ' +
    'patches to that patch management group, as far as its category allows; this also requires the role pm.write. The affected ' +
    'computers are those that lack one of the patches and to which a patch management group with it is assigned. ' +
    '`withoutGroup` names patches that reach no computer because no such group contains them.',
  role: 'pm.approve',
  execution: { kind: 'LongChange' },
  extension: true,
  massAction: { computers: ({ body }) => computersReachedBy(linksOf(body.patchIds), body.pmGroupId) },
  body: ApprovePatchesRequest,
  returns: ok(PatchApprovals),
  problems: [forbidden, patchNotFound, pmGroupNotFound],
  async handle({ body, db, caller, services }) {
    const { pmGroupId = null } = body
    const patchIds = [...new Set(body.patchIds)]
    if (pmGroupId !== null) {
      requireRole(caller.principal, 'pm.write')
      await lockPmGroup(db, pmGroupId)
    }
    await requirePatches(db, patchIds)
    const newApprovals = await approveAll(db, patchIds)
    const added = pmGroupId === null ? [] : await addAll(db, pmGroupId, patchIds)
    await requestDownloadsInUse(db, services.configuration, patchIds)
    return {
      patchCount: patchIds.length,
      firstPatches: await listFirst(db, patchIds),
      newApprovals,
      pmGroupId,
      added,
      otherCategory: pmGroupId === null ? 0 : await countOfOtherCategory(db, pmGroupId, patchIds),
      lackingComputers: await countLacking(db, patchIds),
      reachedComputers: await countReachedBy(db, linksOf(patchIds)),
      ...(await findWithoutGroup(db, patchIds)),
    }
  },
})

async function listFirst(db: Database, patchIds: readonly number[]): Promise<NamedPatch[]> {
  const { rows } = await sql<NamedPatch>`
    select id as "patchId", coalesce(name, q_number) as "patchName" from patches where id = any(${patchIds}::integer[])
    order by lower(coalesce(name, q_number)), id limit ${maxNamed}`.execute(db)
  return rows
}

/** Returns what was not approved before. */
async function approveAll(db: Database, patchIds: readonly number[]): Promise<PatchLink[]> {
  const { rows } = await sql<PatchLink>`
    with unapproved as materialized (
      select patch_id, product_id from patch_links
      where patch_id = any(${patchIds}::integer[]) and approved_at is null
      order by patch_id, product_id for update
    ), approved as (
      update patch_links set approved_at = now() from unapproved
      where patch_links.patch_id = unapproved.patch_id and patch_links.product_id = unapproved.product_id
      returning patch_links.patch_id, patch_links.product_id
    )
    select patch_id as "patchId", product_id as "productId" from approved order by patch_id, product_id`.execute(db)
  return rows
}

/** Returns what the PM group did not contain before. */
async function addAll(db: Database, pmGroupId: number, patchIds: readonly number[]): Promise<PatchLink[]> {
  const { rows } = await sql<PatchLink>`
    with added as (
      insert into pm_group_patches (pm_group_id, patch_id, product_id)
      select pm_groups.id, link.patch_id, link.product_id
      from patch_links link
        join patches on patches.id = link.patch_id
        join pm_groups on pm_groups.id = ${pmGroupId} and (pm_groups.category = 'ServicePack') = patches.is_service_pack
      where link.patch_id = any(${patchIds}::integer[])
      order by link.patch_id, link.product_id
      on conflict do nothing returning patch_id, product_id
    )
    select patch_id as "patchId", product_id as "productId" from added order by patch_id, product_id`.execute(db)
  return rows
}

async function countOfOtherCategory(db: Database, pmGroupId: number, patchIds: readonly number[]): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count
    from patches join pm_groups on pm_groups.id = ${pmGroupId} and (pm_groups.category = 'ServicePack') <> patches.is_service_pack
    where patches.id = any(${patchIds}::integer[])`.execute(db)
  return rows[0]?.count ?? 0
}

async function countLacking(db: Database, patchIds: readonly number[]): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(distinct computer_id)::integer as count from computer_patches
    where patch_id = any(${patchIds}::integer[]) and is_missing`.execute(db)
  return rows[0]?.count ?? 0
}

/** The patches that no PM group with an assignment contains for any product version. */
async function findWithoutGroup(db: Database, patchIds: readonly number[]) {
  const { rows } = await sql<NamedPatch & { count: number }>`
    select id as "patchId", coalesce(name, q_number) as "patchName", count(*) over ()::integer as count
    from patches
    where id = any(${patchIds}::integer[]) and not exists (
      select from pm_group_patches listed join pm_group_assignments using (pm_group_id) where listed.patch_id = patches.id)
    order by lower(coalesce(name, q_number)), id limit ${maxNamed}`.execute(db)
  return {
    withoutGroupCount: rows[0]?.count ?? 0,
    withoutGroup: rows.map(({ patchId, patchName }) => ({ patchId, patchName })),
  }
}
