import type { AnyOperation } from '../../../platform/operation.ts'
import { createComputer } from './create-computer.ts'
import { deleteComputer } from './delete-computer.ts'
import { deleteComputers } from './delete-computers.ts'
import { getComputer } from './get-computer.ts'
import { listComputerGroups } from './list-computer-groups.ts'
import { listComputers } from './list-computers.ts'
import { searchComputers } from './search-computers.ts'
import { updateComputer } from './update-computer.ts'

export const computersApi: readonly AnyOperation[] = [
  listComputers,
  createComputer,
  searchComputers,
  getComputer,
  updateComputer,
  deleteComputer,
  deleteComputers,
  listComputerGroups,
]
