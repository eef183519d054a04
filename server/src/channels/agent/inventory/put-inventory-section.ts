import { computerGone } from '../../../features/inventory/problems.ts'
import type { Report, Section } from '../../../features/inventory/sections/section.ts'
import { storeSections, toldSection } from '../../../features/inventory/store-sections.ts'
import { type AnyOperation, noContent, operation } from '../../../platform/operation.ts'

/** The operation that takes one section: each has a body of its own, which the description of the channel shows. */
export function putInventorySection(section: Section): AnyOperation {
  return operation({
    id: `putInventory${section.name.charAt(0).toUpperCase()}${section.name.slice(1)}`,
    route: `PUT /agent/v1/inventory/${section.name}`,
    summary: `Send the section ${section.name} of the inventory, because its content has changed`,
    description: 'The content replaces the one before. Under the hash that is stored already, nothing is written.',
    role: 'machine',
    body: section.body,
    returns: noContent,
    problems: [computerGone],
    async handle({ body, db, machine: { clientId } }) {
      await storeSections(db, clientId, [toldSection(section.name, body as Report)])
    },
  })
}
