import { sql } from 'kysely'
import { ok, operation } from '../../../platform/operation.ts'
import { computersBelow } from '../../groups/affected-computers.ts'
import { computersWithoutPatch } from '../../patch-management/affected-computers.ts'
import { cancelUnneededFixWork } from '../../patch-management/remediate.ts'
import { computersHaving } from '../continue-rings.ts'
import { getPolicyRow, groupsOfPolicy } from '../policies.ts'
import { isProgressOf, listProgressOf, lockProgress } from '../progress.ts'
import { listPatchPolicyProgress } from './list-patch-policy-progress.ts'
import { patchNotOfPolicy, patchNotPaused, patchPolicyNotFound } from './problems.ts'
import { PatchOfPolicyPath, PatchOfPolicyScope, PatchProgressList } from './progress-schemas.ts'

export const resumePatchOfPolicy = operation({
  id: 'resumePatchOfPolicy',
  route: 'POST /api/patch-policies/:id/progress/:patchId/resume',
  summary: 'Resume a paused or stopped patch of a patch policy',
  description:
    'The rings that were open are open again, and the next scan of their computers makes the fix package due. Only failures and ' +
    'trouble from now on pause the patch again. A rollback ends: its waiting work is withdrawn, and computers that have rolled the patch ' +
    'back get it again.',
  role: 'pm.approve',
  massAction: {
    computers: ({ params, query }) => sql`
      ${computersBelow(groupsOfPolicy(params.id))} and member.computer_id in (${computersWithoutPatch(params.patchId, query.productId)})`,
  },
  params: PatchOfPolicyPath,
  query: PatchOfPolicyScope,
  returns: ok(PatchProgressList),
  problems: [patchPolicyNotFound, patchNotOfPolicy, patchNotPaused],
  shows: listPatchPolicyProgress,
  extension: true,
  async handle({ params: { id, patchId }, query: { productId }, db }) {
    await getPolicyRow(db, id)
    const found = await lockProgress(db, id, { patchId, productId })
    const targets = found.filter(({ isPaused, isStopped }) => isPaused || isStopped)
    if (targets.length === 0) throw patchNotPaused({ patchId })
    await sql`
      update patch_ring_progress set paused_at = null, pause = null, stopped_at = null, stopped_by = null, stop_reason = null,
        rolls_back = false, resumed_at = now(), met_at = null
      where ${isProgressOf(id, targets)}`.execute(db)
    const rolledBack = targets.filter(({ rollsBack }) => rollsBack)
    if (rolledBack.length > 0) {
      await sql`delete from patch_rollbacks where ${isProgressOf(id, rolledBack)}`.execute(db)
      await cancelUnneededFixWork(db, computersHaving(rolledBack))
    }
    return { items: await listProgressOf(db, id, found) }
  },
})
