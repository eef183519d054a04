import type { Area } from '../../platform/operation.ts'

export const variableConfigurations: Area = {
  name: 'Variable Configurations',
  description: 'Named sets of variable values that are assigned to groups.',
  operations: [],
}
