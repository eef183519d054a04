import { problem } from '../../../platform/problem.ts'

export const patchImportNotFound = problem('ImportNotFound', 404, 'No import of patches has this tracking id.')
