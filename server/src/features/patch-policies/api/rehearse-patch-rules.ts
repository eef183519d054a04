import { ok, operation } from '../../../platform/operation.ts'
import { groupNotFound, requireGroup } from '../../groups/groups.ts'
import { requireEffectiveRules } from '../policies.ts'
import { rehearse } from '../rehearsal.ts'
import { PatchRulesRehearsal, RehearsePatchRulesRequest } from './schemas.ts'

export const rehearsePatchRules = operation({
  id: 'rehearsePatchRules',
  route: 'POST /api/patch-policies/rehearsal',
  summary: 'Say what rules would have approved in the last days',
  description:
    'Changes nothing. Applies the rules to what is known about patches today, and counts the patches that they would have approved ' +
    'on each day with the computers that have or lack them. What a patch management group or another policy says is left out.',
  role: 'pm.read',
  execution: { kind: 'FleetRead' },
  body: RehearsePatchRulesRequest,
  returns: ok(PatchRulesRehearsal),
  problems: [groupNotFound],
  extension: true,
  async handle({ body: { rules, groupId = null, days = 90 }, db }) {
    requireEffectiveRules(rules)
    if (groupId !== null) await requireGroup(db, groupId)
    return rehearse(db, { rules, groupId, days })
  },
})
