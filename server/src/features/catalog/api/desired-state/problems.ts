import { problem } from '../../../../platform/problem.ts'

export const stalePlan = problem(
  'StalePlan',
  409,
  'The state has changed since the plan was made: `changes` lists what would be done beyond it. Nothing was applied; plan again.',
)

export const stateBlocked = problem(
  'StateBlocked',
  409,
  'Some changes cannot be made; see blockers. Nothing was applied.',
)

export const unexpectedRemovals = problem(
  'UnexpectedRemovals',
  409,
  'More objects would be removed than `expectedRemovals` allows. Nothing was applied.',
)

export const stateStepFailed = problem(
  'StateStepFailed',
  409,
  'A step was refused; `failed` says which and why. The steps before it are made. Repeat the request to continue.',
)
