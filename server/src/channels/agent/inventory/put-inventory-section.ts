import { inventoryOfDeletedComputer } from '../../../features/inventory/problems.ts'
import type { InventorySection, SectionReport } from '../../../features/inventory/sections/section.ts'
import {
  storeSections,
  toReportedSection,
  withdrawInapplicableWork,
} from '../../../features/inventory/store-sections.ts'
import { type AnyOperation, noContent, operation } from '../../../platform/operation.ts'

/** The operation that stores one section. Each section has an operation of its own, because each has its own body. */
export function putInventorySection(section: InventorySection): AnyOperation {
  return operation({
    id: `putInventory${section.name.charAt(0).toUpperCase()}${section.name.slice(1)}`,
    route: `PUT /agent/v1/inventory/${section.name}`,
    summary: `Store the inventory section ${section.name}`,
    description:
      'Replaces the stored content. When the hash equals the stored one, nothing is written except, once a day, the date of the inventory.',
    role: 'machine',
    body: section.body,
    returns: noContent,
    problems: [inventoryOfDeletedComputer],
    async handle({ body, db, machine: { clientId } }) {
      const stored = await storeSections(db, clientId, [toReportedSection(section.name, body as SectionReport)])
      if (stored.isOtherPlatform) await withdrawInapplicableWork(db, clientId)
    },
  })
}
