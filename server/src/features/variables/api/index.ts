import type { AnyOperation } from '../../../platform/operation.ts'
import { createComputerCollectionEntry } from './computers/create-computer-collection-entry.ts'
import { deleteComputerCollectionEntry } from './computers/delete-computer-collection-entry.ts'
import { getComputerVariable } from './computers/get-computer-variable.ts'
import { listComputerCollection } from './computers/list-computer-collection.ts'
import { listComputerVariables } from './computers/list-computer-variables.ts'
import { searchComputerVariables } from './computers/search-computer-variables.ts'
import { setComputerVariable } from './computers/set-computer-variable.ts'
import { updateComputerCollectionEntry } from './computers/update-computer-collection-entry.ts'
import { assignGroupVariableConfiguration } from './configurations/assign-group-variable-configuration.ts'
import { getVariableConfiguration } from './configurations/get-variable-configuration.ts'
import { listGroupVariableConfigurations } from './configurations/list-group-variable-configurations.ts'
import { listVariableConfigurationGroups } from './configurations/list-variable-configuration-groups.ts'
import { listVariableConfigurations } from './configurations/list-variable-configurations.ts'
import { removeGroupVariableConfiguration } from './configurations/remove-group-variable-configuration.ts'
import { getVariableDefinition } from './definitions/get-variable-definition.ts'
import { listFleetVariables } from './definitions/list-fleet-variables.ts'
import { listVariableDefinitionChildren } from './definitions/list-variable-definition-children.ts'
import { listVariableDefinitionComputers } from './definitions/list-variable-definition-computers.ts'
import { listVariableDefinitionConfigurations } from './definitions/list-variable-definition-configurations.ts'
import { listVariableDefinitionGroups } from './definitions/list-variable-definition-groups.ts'
import { listVariableDefinitionPackages } from './definitions/list-variable-definition-packages.ts'
import { listVariableDefinitions } from './definitions/list-variable-definitions.ts'
import { searchVariableDefinitions } from './definitions/search-variable-definitions.ts'
import { createGroupCollectionEntry } from './groups/create-group-collection-entry.ts'
import { deleteGroupCollectionEntry } from './groups/delete-group-collection-entry.ts'
import { getGroupVariable } from './groups/get-group-variable.ts'
import { listGroupCollection } from './groups/list-group-collection.ts'
import { listGroupVariables } from './groups/list-group-variables.ts'
import { searchGroupVariables } from './groups/search-group-variables.ts'
import { setGroupVariable } from './groups/set-group-variable.ts'
import { updateGroupCollectionEntry } from './groups/update-group-collection-entry.ts'

export const variablesApi: readonly AnyOperation[] = [
  listComputerVariables,
  searchComputerVariables,
  getComputerVariable,
  setComputerVariable,
  listComputerCollection,
  createComputerCollectionEntry,
  updateComputerCollectionEntry,
  deleteComputerCollectionEntry,
  listGroupVariableConfigurations,
  assignGroupVariableConfiguration,
  removeGroupVariableConfiguration,
  listGroupVariables,
  searchGroupVariables,
  getGroupVariable,
  setGroupVariable,
  listGroupCollection,
  createGroupCollectionEntry,
  updateGroupCollectionEntry,
  deleteGroupCollectionEntry,
  listVariableDefinitions,
  listFleetVariables,
  searchVariableDefinitions,
  getVariableDefinition,
  listVariableDefinitionChildren,
  listVariableDefinitionComputers,
  listVariableDefinitionGroups,
  listVariableDefinitionPackages,
  listVariableDefinitionConfigurations,
  listVariableConfigurations,
  getVariableConfiguration,
  listVariableConfigurationGroups,
]
