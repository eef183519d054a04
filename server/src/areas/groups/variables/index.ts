import type { AnyOperation } from '../../../platform/operation.ts'
import { createGroupCollectionEntry } from './create-group-collection-entry.ts'
import { deleteGroupCollectionEntry } from './delete-group-collection-entry.ts'
import { listGroupCollection } from './list-group-collection.ts'
import { listGroupVariables } from './list-group-variables.ts'
import { searchGroupVariables } from './search-group-variables.ts'
import { setGroupVariable } from './set-group-variable.ts'
import { updateGroupCollectionEntry } from './update-group-collection-entry.ts'

export const groupVariables: readonly AnyOperation[] = [
  listGroupVariables,
  searchGroupVariables,
  setGroupVariable,
  listGroupCollection,
  createGroupCollectionEntry,
  updateGroupCollectionEntry,
  deleteGroupCollectionEntry,
]
