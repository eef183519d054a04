import type { AnyOperation } from '../../../platform/operation.ts'
import { addGroupComputers } from './add-group-computers.ts'
import { createGroup } from './create-group.ts'
import { deleteGroup } from './delete-group.ts'
import { getGroup } from './get-group.ts'
import { listGroupComputers } from './list-group-computers.ts'
import { listGroups } from './list-groups.ts'
import { removeGroupComputers } from './remove-group-computers.ts'
import { updateGroup } from './update-group.ts'

export const groupsApi: readonly AnyOperation[] = [
  listGroups,
  createGroup,
  getGroup,
  updateGroup,
  deleteGroup,
  listGroupComputers,
  addGroupComputers,
  removeGroupComputers,
]
