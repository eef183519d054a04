import { problem } from '../../../platform/problem.ts'

export const duplicateTagDesignation = problem(
  'DuplicateDesignation',
  409,
  'Another tag already has this designation.',
  {
    constraint: 'tags_designation_key',
  },
)

export const readOnlyTag = problem('ReadOnlyTag', 409, 'The tag is read-only and cannot be changed or deleted.')
