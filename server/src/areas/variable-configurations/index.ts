import type { Area } from '../../platform/operation.ts'
import { getVariableConfiguration } from './get-variable-configuration.ts'
import { listVariableConfigurationGroups } from './list-variable-configuration-groups.ts'
import { listVariableConfigurations } from './list-variable-configurations.ts'

export const variableConfigurations: Area = {
  name: 'Variable Configurations',
  description: 'Named sets of variable values that are assigned to groups.',
  operations: [listVariableConfigurations, getVariableConfiguration, listVariableConfigurationGroups],
}
