import { problem } from '../../../platform/problem.ts'

export const optionsOfUnknownGroup = problem('GroupNotFound', 404, 'No group has this id. The answer has no body.', {
  body: () => undefined,
})
