import { problem } from '../../../platform/problem.ts'

export const duplicateDesignation = problem('DuplicateDesignation', 409, 'Another tag has this designation.', {
  constraint: 'tags_designation_key',
})

export const readOnlyTag = problem('ReadOnlyTag', 409, 'The tag is read-only: it is neither changed nor deleted.')
