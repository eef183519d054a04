import { problem } from '../../../../platform/problem.ts'

export const variableConfigurationNotFound = problem(
  'VariableConfigurationNotFound',
  404,
  'No variable configuration has this id.',
)
