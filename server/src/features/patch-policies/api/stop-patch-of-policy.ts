import { sql } from 'kysely'
import { ok, operation } from '../../../platform/operation.ts'
import { cancelUnneededFixWork } from '../../patch-management/remediate.ts'
import { computersLacking } from '../continue-rings.ts'
import { getPolicyRow } from '../policies.ts'
import { isProgressOf, listProgressOf, lockProgress } from '../progress.ts'
import { listPatchPolicyProgress } from './list-patch-policy-progress.ts'
import { patchNotOfPolicy, patchPolicyNotFound, patchStoppedBefore } from './problems.ts'
import { PatchOfPolicyPath, PatchOfPolicyScope, PatchProgressList, PatchReasonRequest } from './progress-schemas.ts'

export const stopPatchOfPolicy = operation({
  id: 'stopPatchOfPolicy',
  route: 'POST /api/patch-policies/:id/progress/:patchId/stop',
  summary: 'Stop a patch of a patch policy',
  description:
    'The policy does not release the patch any more, not even if a person approves it. Cancels fix work that nothing else requires, ' +
    'unless an agent has started it. Computers that have the patch keep it. resumePatchOfPolicy takes it back.',
  role: 'pm.approve',
  params: PatchOfPolicyPath,
  query: PatchOfPolicyScope,
  body: PatchReasonRequest,
  bodyOptional: true,
  returns: ok(PatchProgressList),
  problems: [patchPolicyNotFound, patchNotOfPolicy, patchStoppedBefore],
  shows: listPatchPolicyProgress,
  extension: true,
  async handle({ params: { id, patchId }, query: { productId }, body, db, caller }) {
    await getPolicyRow(db, id)
    const found = await lockProgress(db, id, { patchId, productId })
    const targets = found.filter(({ isStopped }) => !isStopped)
    if (targets.length === 0) throw patchStoppedBefore({ patchId })
    await sql`
      update patch_ring_progress set stopped_at = now(), stopped_by = ${caller.principal.name}, stop_reason = ${body?.reason ?? null},
        paused_at = null, pause = null
      where ${isProgressOf(id, targets)}`.execute(db)
    await cancelUnneededFixWork(db, computersLacking(targets))
    return { items: await listProgressOf(db, id, found) }
  },
})
