import type { Area } from '../../platform/operation.ts'
import { computerActions } from './actions/index.ts'
import { createComputer } from './create-computer.ts'
import { deleteComputer } from './delete-computer.ts'
import { computerDeployment } from './deployment/index.ts'
import { computerEffective } from './effective/index.ts'
import { getComputer } from './get-computer.ts'
import { computerInventory } from './inventory/index.ts'
import { computerIssues } from './issues/index.ts'
import { listComputerGroups } from './list-computer-groups.ts'
import { listComputers } from './list-computers.ts'
import { computerPatches } from './patches/index.ts'
import { computerRequests } from './requests/index.ts'
import { searchComputers } from './search-computers.ts'
import { updateComputer } from './update-computer.ts'
import { computerVariables } from './variables/index.ts'

export const computers: Area = {
  name: 'Computers',
  description: 'The managed computers: what they are, where they belong and what holds for them.',
  operations: [
    listComputers,
    createComputer,
    searchComputers,
    getComputer,
    updateComputer,
    deleteComputer,
    listComputerGroups,
    ...computerEffective,
    ...computerActions,
    ...computerRequests,
    ...computerDeployment,
    ...computerVariables,
    ...computerInventory,
    ...computerPatches,
    ...computerIssues,
  ],
}
