import type { AnyOperation } from '../../../platform/operation.ts'
import { addComputersToGroup } from './add-computers-to-group.ts'
import { addGroupComputers } from './add-group-computers.ts'
import { createGroup } from './create-group.ts'
import { deleteGroup } from './delete-group.ts'
import { getGroup } from './get-group.ts'
import { getGroupKind } from './get-group-kind.ts'
import { listGroupComputers } from './list-group-computers.ts'
import { listGroups } from './list-groups.ts'
import { removeGroupComputers } from './remove-group-computers.ts'
import { setGroupKind } from './set-group-kind.ts'
import { updateGroup } from './update-group.ts'

export const groupsApi: readonly AnyOperation[] = [
  listGroups,
  createGroup,
  getGroup,
  updateGroup,
  deleteGroup,
  getGroupKind,
  setGroupKind,
  listGroupComputers,
  addGroupComputers,
  addComputersToGroup,
  removeGroupComputers,
]
