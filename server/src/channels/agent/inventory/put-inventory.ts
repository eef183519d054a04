import { computerGone } from '../../../features/inventory/problems.ts'
import { sections } from '../../../features/inventory/sections/index.ts'
import type { Report } from '../../../features/inventory/sections/section.ts'
import { storeSections, toldSection } from '../../../features/inventory/store-sections.ts'
import { noContent, operation } from '../../../platform/operation.ts'
import { closed, Type } from '../../../platform/schema.ts'

export const putInventory = operation({
  id: 'putInventory',
  route: 'PUT /agent/v1/inventory',
  summary: 'Send several sections of the inventory at once, because their content has changed',
  description: `All sections are stored, or none. Of a computer that is new, this takes a third of the statements that its
sections take one by one. What would be larger than a request may be is sent in several.`,
  role: 'machine',
  body: closed(
    {
      sections: {
        ...closed(Object.fromEntries(sections.map(({ name, body }) => [name, Type.Optional(body)]))),
        minProperties: 1,
      },
    },
    { title: 'InventoryReport' },
  ),
  returns: noContent,
  problems: [computerGone],
  async handle({ body, db, machine: { clientId } }) {
    const told = Object.entries(body.sections as Record<string, Report>)
    await storeSections(
      db,
      clientId,
      told.map(([name, report]) => toldSection(name, report)),
    )
  },
})
