import { requireRole } from '../../../../platform/authentication/authenticate.ts'
import { forbidden } from '../../../../platform/general-problems.ts'
import { ok, operation } from '../../../../platform/operation.ts'
import { invalidPart } from '../../../../platform/validation.ts'
import { applySteps } from '../../desired-state/apply-state.ts'
import { listNeededRoles, listSecrets } from '../../desired-state/describe-plan.ts'
import { requireReadRoles } from '../../desired-state/read-state.ts'
import { rehearseActivations } from '../../desired-state/rehearse-activations.ts'
import { computeStatePlan, type PlannedChange, propertiesOf } from '../../desired-state/state-plan.ts'
import { stalePlan, stateBlocked, stateStepFailed, unexpectedRemovals } from './problems.ts'
import { AppliedState, ApplyStateRequest } from './schemas.ts'

/** After this long, a dry run makes no more steps and activates no more groups. */
const maxRehearsalMs = 5_000

export const applyDesiredState = operation({
  id: 'applyDesiredState',
  route: 'POST /api/catalog/state/apply',
  summary: 'Apply a planned desired state',
  description:
    'Makes the changes of a plan step by step, each in its own transaction, in an order in which references exist. Each step ' +
    'is a call of the operations that the plan names: it requires their roles, is checked, limited, audited and published like ' +
    'them, and may have to wait for an approval. Answers 409 and does nothing if anything would be changed that the plan does ' +
    'not list. An interrupted request can be repeated: it continues with what is left of the plan. A dry run makes the steps ' +
    'and rolls them back; its answer also counts the work that an activation would create. It ends after a few seconds, ' +
    'because it is one transaction: `remaining` counts what it has not tried.',
  role: 'any valid token',
  execution: { kind: 'StepwiseChange' },
  extension: true,
  body: ApplyStateRequest,
  returns: ok(AppliedState),
  problems: [forbidden, stalePlan, stateBlocked, unexpectedRemovals, stateStepFailed],
  async handle(call) {
    const { state, prune = false, plan: fingerprints, secrets = {}, maxSteps = 200 } = call.body
    const givenSecrets = new Map(Object.entries(secrets))
    requireReadRoles(call.caller, propertiesOf(state))
    const { dryRun = false } = call.request.query as { dryRun?: boolean }
    const plan = await computeStatePlan(call.db, state, {
      prune,
      countsComputers: dryRun,
      countsMembers: dryRun && call.caller.principal.roles.has('computer.read'),
    })
    requirePlanned(plan.changes, new Set(fingerprints))
    requireExpectedRemovals(plan.changes, call.body.expectedRemovals ?? 0)
    requireUnblocked(plan.changes)
    for (const role of listNeededRoles(plan.changes, call.operations)) requireRole(call.caller.principal, role)
    for (const reference of listSecrets(plan.changes))
      if (!givenSecrets.has(reference)) throw invalidPart('body', `secrets.${reference}`, 'is required')
    // A dry run is one transaction, which keeps its locks until it ends.
    const endsAt = performance.now() + maxRehearsalMs
    const isOver = () => dryRun && performance.now() > endsAt
    const secretOf = (reference: string) => givenSecrets.get(reference) ?? ''
    const steps = await applySteps(call, plan, plan.steps.slice(0, maxSteps), { document: state, secretOf, isOver })
    const made = steps.flatMap(({ changes }) => changes)
    return {
      applied: made.length,
      remaining: plan.changes.length - made.length,
      work: dryRun ? await rehearseActivations(call, plan, made, isOver) : null,
    }
  },
})

function requirePlanned(changes: readonly PlannedChange[], fingerprints: ReadonlySet<string>): void {
  const unplanned = changes.filter(({ fingerprint }) => !fingerprints.has(fingerprint))
  if (unplanned.length > 0) throw stalePlan({ changes: unplanned.slice(0, maxListed).map(identify) })
}

/** After an interruption, some of the removals are already made. */
function requireExpectedRemovals(changes: readonly PlannedChange[], expectedRemovals: number): void {
  const actualRemovals = changes.filter(({ action }) => action === 'remove').length
  if (actualRemovals > expectedRemovals) throw unexpectedRemovals({ expectedRemovals, actualRemovals })
}

function requireUnblocked(changes: readonly PlannedChange[]): void {
  const blocked = changes.filter(({ blockers }) => blockers.length > 0)
  if (blocked.length > 0)
    throw stateBlocked({
      blockers: blocked.slice(0, maxListed).map((change) => ({ ...identify(change), blockers: change.blockers })),
    })
}

/** Problems list at most this many changes. */
const maxListed = 100

const identify = ({ section, action, object }: PlannedChange) => ({
  section,
  name: object.name,
  action,
})
