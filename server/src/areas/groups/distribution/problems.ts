import { problem } from '../../../platform/problem.ts'

export const optionsOfUnknownGroup = problem('GroupNotFound', 404, 'No group has this id. The answer has no body.', {
  body: () => undefined,
})

export const packageNotAssigned = problem('PackageNotAssigned', 404, 'The package is not assigned to the group.', {
  constraint: 'distribution_options_assignment_fkey',
})
