import type { Area } from '../../platform/operation.ts'

export const variableDefinitions: Area = {
  name: 'Variable Definitions',
  description: 'The catalog of variables, and where they have values.',
  operations: [],
}
