import { problem } from '../../../platform/problem.ts'

/** The contract demands an empty body for this 404, unlike `groupNotFound` of other operations. */
export const optionsGroupNotFound = problem('GroupNotFound', 404, 'No group has this id. The answer has no body.', {
  body: () => undefined,
})

export const noOwnOptions = problem('NoOwnOptions', 404, 'The group has no such options of its own.')
