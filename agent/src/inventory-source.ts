import type { SectionBody } from './protocol.ts'

export type Section = { hash: string; body: SectionBody }

/** Where the loop gets the sections of the inventory from, by their name. */
export type InventorySource = { collectSections(): Promise<Record<string, Section>> }

export const emptyInventory: InventorySource = { collectSections: async () => ({}) }
