import { sql } from 'kysely'
import { ok, operation } from '../../../platform/operation.ts'
import { cancelUnneededFixWork } from '../../patch-management/remediate.ts'
import type { PatchPause } from '../../patches/policies/patch-pauses.ts'
import { computersLacking } from '../continue-rings.ts'
import { getPolicyRow } from '../policies.ts'
import { isProgressOf, listProgressOf, lockProgress } from '../progress.ts'
import { listPatchPolicyProgress } from './list-patch-policy-progress.ts'
import {
  patchApprovedByPerson,
  patchNotOfPolicy,
  patchPausedBefore,
  patchPolicyNotFound,
  patchStoppedBefore,
} from './problems.ts'
import { PatchOfPolicyPath, PatchOfPolicyScope, PatchProgressList, PatchReasonRequest } from './progress-schemas.ts'

export const pausePatchOfPolicy = operation({
  id: 'pausePatchOfPolicy',
  route: 'POST /api/patch-policies/:id/progress/:patchId/pause',
  summary: 'Pause a patch of a patch policy',
  description:
    'No further computer begins to install it by this policy, and no ring opens. Cancels fix work that nothing else requires, unless ' +
    'an agent has started it. Computers that have the patch keep it.',
  role: 'pm.approve',
  params: PatchOfPolicyPath,
  query: PatchOfPolicyScope,
  body: PatchReasonRequest,
  bodyOptional: true,
  returns: ok(PatchProgressList),
  problems: [patchPolicyNotFound, patchNotOfPolicy, patchPausedBefore, patchStoppedBefore, patchApprovedByPerson],
  shows: listPatchPolicyProgress,
  extension: true,
  async handle({ params: { id, patchId }, query: { productId }, body, db, caller }) {
    await getPolicyRow(db, id)
    const found = await lockProgress(db, id, { patchId, productId })
    const targets = found.filter((one) => !one.isPaused && !one.isStopped && !one.isApprovedByPerson)
    if (targets.length === 0) {
      if (found.some(({ isPaused }) => isPaused)) throw patchPausedBefore({ patchId })
      throw found.some(({ isStopped }) => isStopped)
        ? patchStoppedBefore({ patchId })
        : patchApprovedByPerson({ patchId })
    }
    const pause: PatchPause = { code: 'ByPrincipal', by: caller.principal.name, reason: body?.reason ?? null }
    await sql`
      update patch_ring_progress set paused_at = now(), pause = ${JSON.stringify(pause)}::jsonb
      where ${isProgressOf(id, targets)}`.execute(db)
    await cancelUnneededFixWork(db, computersLacking(targets))
    return { items: await listProgressOf(db, id, found) }
  },
})
