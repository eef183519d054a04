import { inventorySections } from '../../../features/inventory/sections/index.ts'
import type { AnyOperation } from '../../../platform/operation.ts'
import { putInventory } from './put-inventory.ts'
import { putInventorySection } from './put-inventory-section.ts'

/** One operation for several sections of the inventory, and one for each section. */
export const agentInventory: readonly AnyOperation[] = [putInventory, ...inventorySections.map(putInventorySection)]
