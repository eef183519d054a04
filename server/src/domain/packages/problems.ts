import { problem } from '../../platform/problem.ts'

export const packageNotFound = problem('PackageNotFound', 404, 'No package has this id.')

export const packageNotAssigned = problem('PackageNotAssigned', 404, 'The package is not assigned to the group.', {
  constraint: 'distribution_options_assignment_fkey',
})
