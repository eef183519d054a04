import type { AnyOperation } from '../../../platform/operation.ts'
import { addGroupComputers } from './add-group-computers.ts'
import { addSelectionToGroup } from './add-selection-to-group.ts'
import { createGroup } from './create-group.ts'
import { deleteGroup } from './delete-group.ts'
import { getGroup } from './get-group.ts'
import { getGroupKind } from './get-group-kind.ts'
import { getGroupRule } from './get-group-rule.ts'
import { listGroupComputers } from './list-group-computers.ts'
import { listGroups } from './list-groups.ts'
import { removeGroupComputers } from './remove-group-computers.ts'
import { removeGroupRule } from './remove-group-rule.ts'
import { setGroupKind } from './set-group-kind.ts'
import { setGroupRule } from './set-group-rule.ts'
import { updateGroup } from './update-group.ts'

export const groupsApi: readonly AnyOperation[] = [
  listGroups,
  createGroup,
  getGroup,
  updateGroup,
  deleteGroup,
  getGroupKind,
  setGroupKind,
  getGroupRule,
  setGroupRule,
  removeGroupRule,
  listGroupComputers,
  addGroupComputers,
  addSelectionToGroup,
  removeGroupComputers,
]
