import type { Area } from '../../platform/operation.ts'
import { addGroupComputers } from './add-group-computers.ts'
import { assignGroupVariableConfiguration } from './assign-group-variable-configuration.ts'
import { groupAssignments } from './assignments/index.ts'
import { createGroup } from './create-group.ts'
import { deleteGroup } from './delete-group.ts'
import { groupDistribution } from './distribution/index.ts'
import { getGroup } from './get-group.ts'
import { listGroupComputers } from './list-group-computers.ts'
import { listGroupVariableConfigurations } from './list-group-variable-configurations.ts'
import { listGroups } from './list-groups.ts'
import { removeGroupComputers } from './remove-group-computers.ts'
import { removeGroupVariableConfiguration } from './remove-group-variable-configuration.ts'
import { updateGroup } from './update-group.ts'
import { groupVariables } from './variables/index.ts'

export const groups: Area = {
  name: 'Deployment Groups',
  description: 'The two trees of groups, their members and what is assigned to them.',
  operations: [
    listGroups,
    createGroup,
    getGroup,
    updateGroup,
    deleteGroup,
    listGroupComputers,
    addGroupComputers,
    removeGroupComputers,
    listGroupVariableConfigurations,
    assignGroupVariableConfiguration,
    removeGroupVariableConfiguration,
    ...groupAssignments,
    ...groupVariables,
    ...groupDistribution,
  ],
}
