import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../../database/connect.ts'
import { ok, operation } from '../../../platform/operation.ts'
import { computersBelow } from '../../groups/affected-computers.ts'
import { computersWithPatch } from '../../patch-management/affected-computers.ts'
import { cancelUnneededFixWork, insertOrCancelFixWork } from '../../patch-management/remediate.ts'
import { computersHaving, computersLacking } from '../continue-rings.ts'
import { getPolicyRow, groupsOfPolicy } from '../policies.ts'
import { isProgressOf, listProgressOf, lockProgress } from '../progress.ts'
import { listPatchPolicyProgress } from './list-patch-policy-progress.ts'
import { patchNotOfPolicy, patchPolicyNotFound, patchStoppedBefore } from './problems.ts'
import { PatchOfPolicyPath, PatchOfPolicyScope, PatchProgressList, StopPatchRequest } from './progress-schemas.ts'

/** As many computers get the work of a rollback at once, in the transaction of the stop. The others get it with their next scan. */
const maxAtOnce = 5_000

export const stopPatchOfPolicy = operation({
  id: 'stopPatchOfPolicy',
  route: 'POST /api/patch-policies/:id/progress/:patchId/stop',
  summary: 'Stop a patch of a patch policy',
  description:
    'The policy does not release the patch any more, not even if a person approves it. Cancels fix work that nothing else requires, ' +
    'unless an agent has started it. Computers that have the patch keep it, unless `rollBack` is true: then their fix package becomes ' +
    'due, within its window, and rolls the patch back where the package manager can. Counted are the computers of the policy that have ' +
    'the patch. Repeated, it asks those again that could not. A PM group that releases it keeps it where it is. resumePatchOfPolicy ends the stop, and the rollback with it.',
  role: 'pm.approve',
  massAction: {
    computers: ({ params, query, body }) =>
      body?.rollBack
        ? sql`
      ${computersBelow(groupsOfPolicy(params.id))} and member.computer_id in (${computersWithPatch(params.patchId, query.productId)})`
        : sql`select id as computer_id from computers where false`,
    groups: ({ params }) => groupsOfPolicy(params.id),
  },
  destructive: ({ body }) => body?.rollBack === true,
  params: PatchOfPolicyPath,
  query: PatchOfPolicyScope,
  body: StopPatchRequest,
  bodyOptional: true,
  returns: ok(PatchProgressList),
  problems: [patchPolicyNotFound, patchNotOfPolicy, patchStoppedBefore],
  shows: listPatchPolicyProgress,
  extension: true,
  async handle({ params: { id, patchId }, query: { productId }, body, db, caller }) {
    const rollBack = body?.rollBack === true
    await getPolicyRow(db, id)
    const found = await lockProgress(db, id, { patchId, productId })
    const targets = rollBack ? found : found.filter(({ isStopped }) => !isStopped)
    if (targets.length === 0) throw patchStoppedBefore({ patchId })
    await sql`
      update patch_ring_progress set stopped_at = now(), stopped_by = ${caller.principal.name},
        stop_reason = coalesce(${body?.reason ?? null}, stop_reason), rolls_back = ${rollBack}, paused_at = null, pause = null
      where ${isProgressOf(id, targets)}`.execute(db)
    await cancelUnneededFixWork(db, computersLacking(targets))
    if (rollBack) {
      await deleteAnswers(db, isProgressOf(id, targets))
      await insertOrCancelFixWork(db, computersHaving(targets, maxAtOnce), 'Scan')
    }
    return { items: await listProgressOf(db, id, found) }
  },
})

/** The computers that still have the patch are asked again, whatever they answered. */
async function deleteAnswers(db: Database, isProgress: RawBuilder<boolean>): Promise<void> {
  await sql`
    delete from patch_rollbacks where ${isProgress} and exists (
      select from computer_patches scanned
      where scanned.computer_id = patch_rollbacks.computer_id and scanned.patch_id = patch_rollbacks.patch_id
        and scanned.product_id = patch_rollbacks.product_id and not scanned.is_missing)`.execute(db)
}
