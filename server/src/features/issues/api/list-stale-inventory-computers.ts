import { issueSweep } from '../issue-sweep.ts'
import { staleInventory } from '../stale-inventory.ts'

export const listStaleInventoryComputers = issueSweep(staleInventory, {
  id: 'listStaleInventoryComputers',
  route: 'GET /api/computer/issues/stale-inventory',
  item: 'StaleInventoryComputer',
  summary: 'List computers with an outdated inventory',
  description:
    'Reports computers whose last inventory is at least 14 days old, or `minDaysStale` days, and computers that have never ' +
    'reported an inventory. The age of a missing inventory is counted from the creation of the computer.',
})
