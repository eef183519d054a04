import { sections } from '../../../features/inventory/sections/index.ts'
import type { AnyOperation } from '../../../platform/operation.ts'
import { putInventory } from './put-inventory.ts'
import { putInventorySection } from './put-inventory-section.ts'

/** One operation for each section of the inventory, and one for several. */
export const agentInventory: readonly AnyOperation[] = [putInventory, ...sections.map(putInventorySection)]
