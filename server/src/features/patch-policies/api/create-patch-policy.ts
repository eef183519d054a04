import { forbidden } from '../../../platform/general-problems.ts'
import { created, operation } from '../../../platform/operation.ts'
import { lockRulings, recordRulingsOfPolicy } from '../../patches/policies/rulings.ts'
import { getPolicyRow, requireEffectiveRules } from '../policies.ts'
import { parsePolicyRestart, requireRestartRole } from '../restarts.ts'
import { parsePatchRings } from '../rings.ts'
import { duplicatePatchPolicyName } from './problems.ts'
import { CreatePatchPolicyRequest, PatchPolicy } from './schemas.ts'

export const createPatchPolicy = operation({
  id: 'createPatchPolicy',
  route: 'POST /api/patch-policies',
  summary: 'Create a patch policy',
  description:
    'Its rules approve patches, leave them to a person, or decline them, for the computers of the groups to which it is assigned. It has no effect until ' +
    'then. Names are unique regardless of case. rehearsePatchRules says what the rules would have approved. ' +
    'A policy with `restart` also needs the role reboot.execute.',
  role: 'pm.approve',
  execution: { kind: 'LongChange' },
  body: CreatePatchPolicyRequest,
  returns: created(PatchPolicy),
  problems: [forbidden, duplicatePatchPolicyName],
  extension: true,
  async handle({ body: { name, description = '', priority = 100, rules, rings = [], restart = null }, db, caller }) {
    requireEffectiveRules(rules)
    if (restart) requireRestartRole(caller)
    const parsedRestart = restart && parsePolicyRestart(restart)
    const parsedRings = await parsePatchRings(db, rings)
    await lockRulings(db)
    const { id } = await db
      .insertInto('patch_policies')
      .values({
        name,
        description,
        priority,
        rules: JSON.stringify(rules),
        rings: JSON.stringify(parsedRings),
        restart: parsedRestart && JSON.stringify(parsedRestart),
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    await recordRulingsOfPolicy(db, id)
    return getPolicyRow(db, id)
  },
})
