import { forbidden } from '../../../../platform/general-problems.ts'
import { ok, operation } from '../../../../platform/operation.ts'
import { describePlan } from '../../desired-state/describe-plan.ts'
import { requireReadRoles } from '../../desired-state/read-state.ts'
import { computeStatePlan, propertiesOf } from '../../desired-state/state-plan.ts'
import { StatePlan, StatePlanRequest } from './schemas.ts'

export const planDesiredState = operation({
  id: 'planDesiredState',
  route: 'POST /api/catalog/state/plan',
  summary: 'Compare a desired state with the current one',
  description:
    'Returns each change that applyDesiredState would make, with the old and the new values, the number of computers that ' +
    'it affects, the operations that make it, and what prevents it. Changes nothing. The values of secrets are not compared: ' +
    'a secret is written if there is none. Each section requires the role that reads its objects.',
  role: 'any valid token',
  execution: { kind: 'FleetRead' },
  extension: true,
  body: StatePlanRequest,
  returns: ok(StatePlan),
  problems: [forbidden],
  async handle({ body: { state, prune = false }, db, caller, operations }) {
    requireReadRoles(caller, propertiesOf(state))
    const plan = await computeStatePlan(db, state, {
      prune,
      countsComputers: true,
      countsMembers: caller.principal.roles.has('computer.read'),
    })
    return describePlan(plan, caller, operations)
  },
})
