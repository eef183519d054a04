import { readFile, writeFile } from 'node:fs/promises'
import { callAbout } from './call-about.ts'
import { CatalogCommandError } from './catalog-command-error.ts'
import { confirmRemovals, type Removals } from './confirm-removals.ts'
import { formatCount } from './format-count.ts'
import { requireOwnReferences, resolveSecrets } from './resolve-secrets.ts'
import type { CallService } from './service-client.ts'
import type { StateDocument } from './state-files.ts'
import { readStateFolder } from './state-folder.ts'
import {
  type AppliedStateAnswer,
  describeRehearsal,
  describeStatePlan,
  type StatePlanAnswer,
} from './state-plan-text.ts'
import { writeStateFolder } from './write-state-folder.ts'

export type { StatePlanAnswer } from './state-plan-text.ts'

export type StateOptions = Removals & {
  folder: string
  prune: boolean
  /** The file of a plan: `plan` writes it, `apply` reads it. */
  planFile?: string | undefined
  /** Where `env:NAME` is found. */
  environment: Record<string, string | undefined>
  /** Folders whose files `file:PATH` may name beside those below the folder. */
  secretFolders?: readonly string[] | undefined
  print(line: string): void
  /** Called with the number of changes that are made, and the number of all. */
  showProgress(made: number, total: number): void
}

export async function exportStateFolder(call: CallService, folder: string): Promise<string[]> {
  return writeStateFolder(folder, await call<StateDocument>('GET', '/api/catalog/state'))
}

/** Shows the changes and, if the principal may make them, the work that they would cause. */
export async function planStateFolder(call: CallService, options: StateOptions): Promise<StatePlanAnswer> {
  const { folder, prune, planFile, print } = options
  const { document: state, places } = await readStateFolder(folder)
  const ask = callAbout(places, call)
  const plan = await ask<StatePlanAnswer>('POST', '/api/catalog/state/plan', { state, prune })
  requirePlan(plan, 'The service did not answer with a plan.')
  requireOwnReferences(plan.secrets, state)
  describeStatePlan(plan, places).forEach(print)
  if (planFile) await writeFile(planFile, `${JSON.stringify(toSavedPlan(plan, prune), null, 2)}\n`)
  if (plan.missingRoles.length > 0) print(`To apply, the principal needs ${plan.missingRoles.join(', ')}.`)
  else if (plan.changes.length > 0 && countBlocked(plan) === 0)
    describeRehearsal(await rehearse(ask, state, prune, plan)).forEach(print)
  return plan
}

/** Throws if the plan cannot be applied so that a pipeline fails. */
export function requireUnblocked(plan: StatePlanAnswer): void {
  const blocked = countBlocked(plan)
  if (blocked > 0)
    throw new CatalogCommandError(
      `${blocked} ${blocked === 1 ? 'change is' : 'changes are'} blocked: the plan cannot be applied.`,
    )
}

const countBlocked = ({ changes }: StatePlanAnswer) => changes.filter(({ blockers }) => blockers.length > 0).length

/** Applies what was planned: the saved plan, or one that is made now. Returns the plan. */
export async function applyStateFolder(call: CallService, options: StateOptions): Promise<StatePlanAnswer> {
  const { folder, print, planFile } = options
  const { document: state, places } = await readStateFolder(folder)
  const ask = callAbout(places, call)
  const saved = planFile ? await readPlan(planFile) : undefined
  const prune = saved?.prune ?? options.prune
  const plan = saved ?? (await ask<StatePlanAnswer>('POST', '/api/catalog/state/plan', { state, prune }))
  requirePlan(plan, planFile ? `${planFile} is not a plan.` : 'The service did not answer with a plan.')
  requireOwnReferences(plan.secrets, state)
  if (!saved) {
    describeStatePlan(plan, places).forEach(print)
    // The service names what blocks a saved plan.
    requireUnblocked(plan)
  }
  if (plan.changes.length === 0) {
    print('Nothing to apply: the service is in this state.')
    return plan
  }
  const expectedRemovals = await confirmRemovals(plan.removed, options)
  const { environment, secretFolders = [] } = options
  const secrets = await resolveSecrets(plan.secrets, state, { folder, secretFolders, environment })
  const made = await applyInParts(ask, { ...requestOf(state, prune, plan), expectedRemovals, secrets }, options)
  print(`Applied: ${formatCount(made, 'change')}.`)
  return plan
}

/** What an apply needs of a plan. What else a service sends must not become an option of the apply. */
function toSavedPlan(plan: StatePlanAnswer, prune: boolean): StatePlanAnswer & { prune: boolean } {
  const { added, changed, removed, changes, secrets, missingRoles } = plan
  return { prune, added, changed, removed, changes, secrets, missingRoles }
}

async function readPlan(file: string): Promise<StatePlanAnswer & { prune: boolean }> {
  const plan = await readFile(file, 'utf8')
    .then((text) => JSON.parse(text) as Partial<StatePlanAnswer & { prune: boolean }> | null)
    .catch((error: Error) => {
      throw new CatalogCommandError(`The plan ${file} cannot be read: ${error.message}`)
    })
  if (!Array.isArray(plan?.changes) || !Array.isArray(plan.secrets) || typeof plan.prune !== 'boolean')
    throw new CatalogCommandError(`${file} is not a plan. Write one with: plan FOLDER --plan ${file}`)
  return plan as StatePlanAnswer & { prune: boolean }
}

const requestOf = (state: StateDocument, prune: boolean, plan: StatePlanAnswer) => ({
  state,
  prune,
  plan: plan.changes.map(({ fingerprint }) => fingerprint),
})

/** What the other functions rely on. A service may send anything, and a file may contain anything. */
function requirePlan(plan: StatePlanAnswer, message: string): void {
  const { changes, secrets, missingRoles = [], added, changed, removed } = Object(plan) as Partial<StatePlanAnswer>
  const isPlan =
    [added, changed, removed].every((count) => Number.isInteger(count)) &&
    [secrets, missingRoles].every((list) => Array.isArray(list) && list.every((one) => typeof one === 'string')) &&
    Array.isArray(changes) &&
    changes.every(
      ({ section, name, action, fields, blockers }) =>
        [section, name, action].every((text) => typeof text === 'string') &&
        [fields, blockers].every((list) => Array.isArray(list)),
    ) &&
    // People confirm this number.
    changes.filter(({ action }) => action === 'remove').length === removed
  if (!isPlan) throw new CatalogCommandError(message)
}

/** A request makes a limited number of steps, and the next one continues. */
async function applyInParts(call: CallService, request: object, { showProgress }: StateOptions): Promise<number> {
  let made = 0
  let left = Number.POSITIVE_INFINITY
  for (;;) {
    const { applied, remaining } = await call<AppliedStateAnswer>('POST', '/api/catalog/state/apply', request)
    // A service that never comes to an end must not keep the command, nor get the secrets again and again.
    if (!(applied >= 0 && remaining >= 0 && remaining < left))
      throw new CatalogCommandError('The service makes no progress with the changes. Look at the plan again.')
    left = remaining
    made += applied
    showProgress(made, made + remaining)
    if (remaining === 0) return made
  }
}

function rehearse(
  call: CallService,
  state: StateDocument,
  prune: boolean,
  plan: StatePlanAnswer,
): Promise<AppliedStateAnswer> {
  return call<AppliedStateAnswer>('POST', '/api/catalog/state/apply?dryRun=true', {
    ...requestOf(state, prune, plan),
    expectedRemovals: plan.removed,
    maxSteps: 1000,
    // A rehearsal is rolled back, so it needs no real secrets.
    secrets: Object.fromEntries(plan.secrets.map((reference) => [reference, 'rehearsal'])),
  })
}
