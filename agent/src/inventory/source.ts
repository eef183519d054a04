import { messageOf } from '../expected-error.ts'
import { log } from '../log.ts'
import type { Platform } from '../platform/platform.ts'
import { collectSections, type Section } from './collect.ts'

/** Provides the sections of the inventory by name. */
export type InventorySource = {
  /** Returns the last sections if they are younger, otherwise collects them again. */
  collectSections(maximumAgeMinutes: number): Promise<Record<string, Section>>
}

export const noInventory: InventorySource = { collectSections: async () => ({}) }

/** The inventory of this computer. */
export function computerInventory(platform: Pick<Platform, 'inventory'>): InventorySource {
  let last: { at: number; sections: Record<string, Section> } | undefined
  return {
    async collectSections(maximumAgeMinutes) {
      if (last && performance.now() - last.at < maximumAgeMinutes * 60_000) return last.sections
      const sections = await collectSections(platform.inventory(), (section, error) =>
        log(`The section ${section} of the inventory could not be collected. ${messageOf(error)}`),
      )
      last = { at: performance.now(), sections }
      return sections
    },
  }
}
