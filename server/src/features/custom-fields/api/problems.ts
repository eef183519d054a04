import { problem } from '../../../platform/problem.ts'

export const customFieldNotFound = problem(
  'CustomFieldNotFound',
  404,
  'The slot does not exist. Use Custom01 to Custom30.',
)

export const duplicateCustomFieldDesignation = problem(
  'DuplicateDesignation',
  409,
  'Another slot already has this designation.',
  {
    constraint: 'custom_fields_designation_key',
  },
)
