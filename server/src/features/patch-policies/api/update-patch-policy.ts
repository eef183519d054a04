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
import { adaptProgress, parsePatchRings } from '../rings.ts'
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
    'is installed after the next patch scan.',
  role: 'pm.approve',
  execution: { kind: 'LongChange' },
  massAction: affectsPolicy,
  params: PatchPolicyPath,
  body: UpdatePatchPolicyRequest,
  returns: ok(PatchPolicy),
  problems: [patchPolicyNotFound, duplicatePatchPolicyName],
  changes: getPatchPolicy,
  extension: true,
  async handle({ params: { id }, body: { name, description, priority, rules, rings }, db, services }) {
    const parsedRings = rings ? await parsePatchRings(db, rings) : null
    const changes = {
      ...(name != null && { name }),
      ...(description != null && { description }),
      ...(priority != null && { priority }),
      ...(rules != null && { rules: JSON.stringify(rules) }),
      ...(parsedRings && { rings: JSON.stringify(parsedRings) }),
    }
    if (Object.keys(changes).length === 0) throw invalidPart('body', '', 'must change something')
    if (rules) requireEffectiveRules(rules)
    await lockRulings(db)
    await lockPolicy(db, id)
    // Before the rules: what the present ones have approved stays released.
    if (parsedRings) await adaptProgress(db, id, parsedRings)
    await db
      .updateTable('patch_policies')
      .set({ ...changes, changed_at: new Date() })
      .where('id', '=', id)
      .execute()
    if (rules) await recordRulingsOfPolicy(db, id)
    if (rules || parsedRings || priority != null) await cancelUnneededFixWork(db, ownersBelow(groupsOfPolicy(id)))
    await requestAllDownloadsInUse(db, services.configuration)
    return getPolicyRow(db, id)
  },
})
