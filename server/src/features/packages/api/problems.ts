import { problem } from '../../../platform/problem.ts'

export const importNotFound = problem('ImportNotFound', 404, 'No import or hash generation has this tracking id.')
