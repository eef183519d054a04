import { inventoryOfDeletedComputer } from '../../../features/inventory/problems.ts'
import { inventorySections } from '../../../features/inventory/sections/index.ts'
import type { SectionReport } from '../../../features/inventory/sections/section.ts'
import {
  storeSections,
  toReportedSection,
  withdrawInapplicableWork,
} from '../../../features/inventory/store-sections.ts'
import { noContent, operation } from '../../../platform/operation.ts'
import { closed, Type } from '../../../platform/schema.ts'

export const putInventory = operation({
  id: 'putInventory',
  route: 'PUT /agent/v1/inventory',
  summary: 'Store several inventory sections at once',
  description: `Stores all sections or none. For a new computer this takes a third of the statements that the operations
for single sections need. An agent splits an inventory that exceeds the request limit into several requests.`,
  role: 'machine',
  body: closed(
    {
      sections: {
        ...closed(Object.fromEntries(inventorySections.map(({ name, body }) => [name, Type.Optional(body)])), {
          description: 'The changed sections by name',
        }),
        minProperties: 1,
      },
    },
    { title: 'InventoryReport' },
  ),
  returns: noContent,
  problems: [inventoryOfDeletedComputer],
  async handle({ body, db, machine: { clientId } }) {
    const reports = Object.entries(body.sections as Record<string, SectionReport>)
    const { isOtherPlatform } = await storeSections(
      db,
      clientId,
      reports.map(([name, report]) => toReportedSection(name, report)),
    )
    if (isOtherPlatform) await withdrawInapplicableWork(db, clientId)
  },
})
