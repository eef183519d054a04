import type { Area } from '../../platform/operation.ts'
import { listCustomFields } from './list-custom-fields.ts'
import { updateCustomField } from './update-custom-field.ts'

export const customFields: Area = {
  name: 'Custom Fields',
  description: 'The thirty slots for values of your own on computers.',
  operations: [listCustomFields, updateCustomField],
}
