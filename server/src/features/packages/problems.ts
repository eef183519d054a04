import { problem } from '../../platform/problem.ts'

export const packageNotFound = problem('PackageNotFound', 404, 'No package has this id.')
