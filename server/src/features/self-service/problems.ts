import { problem } from '../../platform/problem.ts'

export const packageRequestNotFound = problem('PackageRequestNotFound', 404, 'No package request has this id.')

export const packageRequestDecided = problem(
  'PackageRequestDecided',
  409,
  'The package request was approved or declined before. Its user may ask again.',
)

export const iconNotFound = problem(
  'IconNotFound',
  404,
  'The computer has no package with this id, or the package has no icon.',
)
