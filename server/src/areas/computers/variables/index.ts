import type { AnyOperation } from '../../../platform/operation.ts'
import { createComputerCollectionEntry } from './create-computer-collection-entry.ts'
import { deleteComputerCollectionEntry } from './delete-computer-collection-entry.ts'
import { listComputerCollection } from './list-computer-collection.ts'
import { listComputerVariables } from './list-computer-variables.ts'
import { searchComputerVariables } from './search-computer-variables.ts'
import { setComputerVariable } from './set-computer-variable.ts'
import { updateComputerCollectionEntry } from './update-computer-collection-entry.ts'

export const computerVariables: readonly AnyOperation[] = [
  listComputerVariables,
  searchComputerVariables,
  setComputerVariable,
  listComputerCollection,
  createComputerCollectionEntry,
  updateComputerCollectionEntry,
  deleteComputerCollectionEntry,
]
