import { problem } from '../../../platform/problem.ts'

export const customFieldNotFound = problem('CustomFieldNotFound', 404, 'There are the slots Custom01 to Custom30 only.')

export const duplicateDesignation = problem('DuplicateDesignation', 409, 'Another slot has this designation.', {
  constraint: 'custom_fields_designation_key',
})
