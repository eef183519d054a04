import { problem } from '../../platform/problem.ts'

export const inventoryOfDeletedComputer = problem('ComputerNotFound', 404, 'The computer has been deleted.', {
  constraint: 'inventory_sections_computer_id_fkey',
})
