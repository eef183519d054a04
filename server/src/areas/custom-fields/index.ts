import type { Area } from '../../platform/operation.ts'

export const customFields: Area = {
  name: 'Custom Fields',
  description: 'The thirty slots for values of your own on computers.',
  operations: [],
}
