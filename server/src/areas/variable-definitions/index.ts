import type { Area } from '../../platform/operation.ts'
import { getVariableDefinition } from './get-variable-definition.ts'
import { listVariableDefinitionChildren } from './list-variable-definition-children.ts'
import { listVariableDefinitionComputers } from './list-variable-definition-computers.ts'
import { listVariableDefinitionConfigurations } from './list-variable-definition-configurations.ts'
import { listVariableDefinitionGroups } from './list-variable-definition-groups.ts'
import { listVariableDefinitions } from './list-variable-definitions.ts'
import { searchVariableDefinitions } from './search-variable-definitions.ts'

export const variableDefinitions: Area = {
  name: 'Variable Definitions',
  description: 'The catalog of variables, and where they have values.',
  operations: [
    listVariableDefinitions,
    searchVariableDefinitions,
    getVariableDefinition,
    listVariableDefinitionChildren,
    listVariableDefinitionComputers,
    listVariableDefinitionGroups,
    listVariableDefinitionConfigurations,
  ],
}
