import { forbidden } from '../../../platform/general-problems.ts'
import { ok, operation } from '../../../platform/operation.ts'
import { invalidPart } from '../../../platform/validation.ts'
import { cancelUnneededFixWork } from '../../patch-management/remediate.ts'
import { requestAllDownloadsInUse } from '../../patches/files/request-downloads.ts'
import { lockRulings, recordRulingsOfPolicy } from '../../patches/policies/rulings.ts'
import {
  affectsPolicy,
  getPolicyRow,
  groupsOfPolicy,
  lockPolicy,
  ownersBelow,
  requireEffectiveRules,
} from '../policies.ts'
import { changesRestart, parsePolicyRestart, requireRestartRole } from '../restarts.ts'
import { adaptProgress, parsePatchRings } from '../rings.ts'
import { withdrawRestarts } from '../withdraw-restarts.ts'
import { getPatchPolicy } from './get-patch-policy.ts'
import { duplicatePatchPolicyName, patchPolicyNotFound } from './problems.ts'
import { PatchPolicy, PatchPolicyPath, UpdatePatchPolicyRequest } from './schemas.ts'

export const updatePatchPolicy = operation({
  id: 'updatePatchPolicy',
  route: 'PATCH /api/patch-policies/:id',
  summary: 'Update a patch policy',
  description:
    'Absent and null properties stay unchanged; an empty description clears it. The rules of the request replace all rules, and its rings ' +
    'all rings. What the policy has released to everybody stays released to everybody; of other patches, the number of the open ring ' +
    'stays, but the last ring opens only by its gate. Cancels fix work on computers to which no missing patch is released any longer, unless an agent has started it. What is released now ' +
    'is installed after the next patch scan. A null `restart` ends the restarts; any other needs the role reboot.execute, and counts against ' +
    'the quota of the caller. Restarts that no agent has begun are withdrawn if the policy does not ask for them any more.',
  role: 'pm.approve',
  execution: { kind: 'LongChange' },
  massAction: affectsPolicy,
  destructive: ({ body }) => body.restart != null,
  params: PatchPolicyPath,
  body: UpdatePatchPolicyRequest,
  returns: ok(PatchPolicy),
  problems: [forbidden, patchPolicyNotFound, duplicatePatchPolicyName],
  changes: getPatchPolicy,
  extension: true,
  async handle({ params: { id }, body: { name, description, priority, rules, rings, restart }, db, services, caller }) {
    const parsedRings = rings ? await parsePatchRings(db, rings) : null
    const parsedRestart = restart && parsePolicyRestart(restart)
    const changes = {
      ...(name != null && { name }),
      ...(description != null && { description }),
      ...(priority != null && { priority }),
      ...(rules != null && { rules: JSON.stringify(rules) }),
      ...(parsedRings && { rings: JSON.stringify(parsedRings) }),
      ...(parsedRestart !== undefined && { restart: parsedRestart && JSON.stringify(parsedRestart) }),
    }
    if (Object.keys(changes).length === 0) throw invalidPart('body', '', 'must change something')
    if (rules) requireEffectiveRules(rules)
    await lockRulings(db)
    await lockPolicy(db, id)
    const isRestartChanged = parsedRestart !== undefined && (await changesRestart(db, id, parsedRestart))
    if (isRestartChanged && parsedRestart) requireRestartRole(caller)
    // Before the rules: what the present ones have approved stays released.
    if (parsedRings) await adaptProgress(db, id, parsedRings)
    await db
      .updateTable('patch_policies')
      .set({ ...changes, changed_at: new Date() })
      .where('id', '=', id)
      .execute()
    if (rules) await recordRulingsOfPolicy(db, id)
    if (isRestartChanged) await withdrawRestarts(db, { changedPolicyId: id })
    else if (priority != null) await withdrawRestarts(db)
    if (rules || parsedRings || priority != null) await cancelUnneededFixWork(db, ownersBelow(groupsOfPolicy(id)))
    await requestAllDownloadsInUse(db, services.configuration)
    return getPolicyRow(db, id)
  },
})
