import { issueSweep } from '../issue-sweep.ts'
import { staleInventory } from '../stale-inventory.ts'

export const listStaleInventoryComputers = issueSweep(staleInventory, {
  id: 'listStaleInventoryComputers',
  route: 'GET /api/computer/issues/stale-inventory',
  item: 'StaleInventoryComputer',
  summary: 'List computers whose last inventory is old, or that never had one',
})
