import { problem } from '../../../../platform/problem.ts'

export const variableConfigurationNotFound = problem(
  'VariableConfigurationNotFound',
  404,
  'No variable configuration has this id.',
)

export const variableConfigurationNotAssigned = problem(
  'VariableConfigurationNotAssigned',
  404,
  'The variable configuration is not assigned to this group.',
)
