import { problem } from '../../../../platform/problem.ts'

export const taskNotFound = problem(
  'TaskNotFound',
  404,
  'No task has this tracking id. Tasks are deleted some time after they finish.',
)

export const taskOfRollout = problem('TaskOfRollout', 409, 'The task belongs to a rollout. Retry the rollout instead.')

export const nothingToRetry = problem('NothingToRetry', 409, 'The task has no failed work.')
