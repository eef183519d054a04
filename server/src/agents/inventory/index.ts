import type { AnyOperation } from '../../platform/operation.ts'
import { putInventory } from './put-inventory.ts'
import { putInventorySection } from './put-inventory-section.ts'
import { sections } from './sections.ts'

/** One operation for each section of the inventory, and one for several. */
export const agentInventory: readonly AnyOperation[] = [putInventory, ...sections.map(putInventorySection)]
