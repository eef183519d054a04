import type { AnyOperation } from '../../platform/operation.ts'
import { putInventorySection } from './put-inventory-section.ts'
import { sections } from './sections.ts'

/** One operation for each section of the inventory. */
export const agentInventory: readonly AnyOperation[] = sections.map(putInventorySection)
