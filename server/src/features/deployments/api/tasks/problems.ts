import { problem } from '../../../../platform/problem.ts'

export const taskNotFound = problem(
  'TaskNotFound',
  404,
  'No task has this tracking id. Tasks are deleted some time after they finish.',
)
