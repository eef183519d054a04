import type { Call } from '../../../platform/operation.ts'
import { Problem } from '../../../platform/problem.ts'
import { invalidPart } from '../../../platform/validation.ts'
import { stateStepFailed } from '../api/desired-state/problems.ts'
import { toMap } from './read-state.ts'
import type { ComputedPlan, StateStep } from './state-plan.ts'
import type { ChangeContext } from './state-section.ts'

type StepCall = Pick<Call, 'db' | 'runParts'>

/**
 * Makes the steps one after the other, each in its own transaction. What is done stays done if a later one is refused.
 * Returns those that were made: all, unless `isOver` says that there is no more time.
 */
export async function applySteps(
  call: StepCall,
  plan: ComputedPlan,
  steps: readonly StateStep[],
  { isOver, ...context }: Pick<ChangeContext, 'document' | 'secretOf'> & { isOver(): boolean },
): Promise<StateStep[]> {
  const { current, packages } = plan.reading
  const find: ChangeContext['find'] = (section, key) => current.get(section)?.get(key)
  const full: ChangeContext = {
    ...context,
    packages,
    find,
    idOf(section, key) {
      const id = find(section, key)?.id
      if (id === undefined) throw invalidPart('body', `state.${section}`, `does not contain '${key}'`)
      return id
    },
  }
  let applied = 0
  for (const [at, step] of steps.entries()) {
    if (isOver()) return steps.slice(0, at)
    const answers = await call.runParts(step.section.toRequests(step.changes, full)).catch((error: unknown) => {
      throw error instanceof Problem ? toStepFailed(error, step, applied, plan.changes.length) : error
    })
    await rememberIds(call, plan, step, answers)
    applied += step.changes.length
  }
  return [...steps]
}

/** Later steps refer to what this one has added. */
async function rememberIds(
  { db }: StepCall,
  { reading: { current, packages } }: ComputedPlan,
  { section, changes }: StateStep,
  answers: readonly unknown[],
): Promise<void> {
  if (section.whole) {
    current.set(section.name, toMap(await section.readCurrent(db, packages)))
    return
  }
  const [change] = changes
  const { id } = (answers[0] ?? {}) as { id?: string | number }
  if (change?.action === 'add' && change.after && id !== undefined)
    current.get(section.name)?.set(change.after.key, { ...change.after, id })
}

function toStepFailed({ kind, details }: Problem, { section, changes }: StateStep, applied: number, total: number) {
  const [change] = changes
  return stateStepFailed({
    applied,
    remaining: total - applied,
    failed: {
      section: section.name,
      name: change?.object.name,
      action: change?.action,
      status: kind.status,
      code: kind.code,
      detail: typeof details.detail === 'string' ? details.detail : kind.message,
      ...details,
    },
  })
}
