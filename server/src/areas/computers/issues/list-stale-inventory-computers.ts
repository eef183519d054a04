import { staleInventory } from '../../../domain/issues/stale-inventory.ts'
import { issueSweep } from './issue-sweep.ts'

export const listStaleInventoryComputers = issueSweep(staleInventory, {
  id: 'listStaleInventoryComputers',
  route: 'GET /api/computer/issues/stale-inventory',
  item: 'StaleInventoryComputer',
  summary: 'List computers whose last inventory is old, or that never had one',
})
