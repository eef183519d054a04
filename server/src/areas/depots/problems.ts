import { problem } from '../../platform/problem.ts'

export const tagNotAssigned = problem('TagNotAssigned', 404, 'The depot does not have this tag.')
