import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../../../database/connect.ts'
import { requireRole } from '../../../../platform/authentication/authenticate.ts'
import { forbidden } from '../../../../platform/general-problems.ts'
import { ok, operation } from '../../../../platform/operation.ts'
import { pmGroupNotFound } from '../../../patches/problems.ts'
import { lockPmGroup } from '../../pm-groups.ts'
import { computersReachedBy, type PatchLinks } from '../../reached-computers.ts'
import { cancelUnneededFixWork } from '../../remediate.ts'
import { type PatchLink, PatchRevocations, RevokePatchesRequest } from './schemas.ts'

export const revokePatches = operation({
  id: 'revokePatches',
  route: 'POST /api/fleet/patches/revocation',
  summary: 'Revoke the approvals of several patches',
  description:
    'Does for each product version what revokePatchApproval does, wholly or not at all, and takes `approvePatches` back: with ' +
    '`pmGroupId`, it also removes `pmGroupPatches` from that patch management group, which also requires the role pm.write. ' +
    'What is not approved, or not in the group, is left out. The affected computers are those that lack one of the patches and to ' +
    'which a patch management group with it is assigned.',
  role: 'pm.approve',
  execution: { kind: 'LongChange' },
  extension: true,
  massAction: { computers: ({ body }) => computersReachedBy(toLinks(body.approvals)) },
  body: RevokePatchesRequest,
  returns: ok(PatchRevocations),
  problems: [forbidden, pmGroupNotFound],
  async handle({ body: { approvals, pmGroupId = null, pmGroupPatches = [] }, db, caller }) {
    if (pmGroupId !== null) {
      requireRole(caller.principal, 'pm.write')
      await lockPmGroup(db, pmGroupId)
    }
    const revoked = await revokeAll(db, approvals)
    const removed = pmGroupId === null ? 0 : await removeAll(db, pmGroupId, pmGroupPatches)
    await cancelUnneededFixWork(db, computersLacking([...approvals, ...pmGroupPatches]))
    return { revoked, removed }
  },
})

function toLinks(links: readonly PatchLink[]): PatchLinks {
  const patchIds = links.map(({ patchId }) => patchId)
  const productIds = links.map(({ productId }) => productId)
  return sql`
    select distinct patch_id, product_id
    from unnest(${patchIds}::integer[], ${productIds}::integer[]) as named (patch_id, product_id)`
}

function computersLacking(links: readonly PatchLink[]): RawBuilder<{ owner_id: number }> {
  return sql`
    select lacking.computer_id as owner_id
    from computer_patches lacking join (${toLinks(links)}) as named using (patch_id, product_id)
    where lacking.is_missing`
}

async function revokeAll(db: Database, approvals: readonly PatchLink[]): Promise<number> {
  const { rows } = await sql`
    with approved as materialized (
      select patch_id, product_id from patch_links
      where (patch_id, product_id) in (${toLinks(approvals)}) and approved_at is not null
      order by patch_id, product_id for update
    )
    update patch_links set approved_at = null from approved
    where patch_links.patch_id = approved.patch_id and patch_links.product_id = approved.product_id
    returning patch_links.patch_id`.execute(db)
  return rows.length
}

async function removeAll(db: Database, pmGroupId: number, links: readonly PatchLink[]): Promise<number> {
  const { rows } = await sql`
    delete from pm_group_patches
    where pm_group_id = ${pmGroupId} and (patch_id, product_id) in (${toLinks(links)}) returning patch_id`.execute(db)
  return rows.length
}
