import { sql } from 'kysely'
import { requireDifferent } from '../group-entries.ts'
import type { StateSection } from '../state-section.ts'

/** The slots for custom values of computers that have a name of their own or are in use. */
export const customFieldsSection: StateSection = {
  name: 'customFields',
  property: 'customFields',
  readRole: 'computer.read',
  async readCurrent(db) {
    const { rows } = await sql<{ slot: string; name: string; active: boolean }>`
      select slot, designation as name, is_active as active from custom_fields order by slot`.execute(db)
    return rows.map(({ slot, ...fields }) => ({ key: slot.toLowerCase(), name: slot, fields }))
  },
  readDocument: ({ customFields }) =>
    customFields &&
    requireDifferent(
      'customFields',
      customFields.map(({ slot, ...fields }) => ({ key: slot.toLowerCase(), name: slot, fields })),
    ),
  writeDocument(objects, document) {
    document.customFields = objects
      .map(({ name: slot, fields }) => ({ slot, ...(fields as { name: string; active: boolean }) }))
      .filter(({ slot, name, active }) => active || name !== slot)
  },
  isKept: () => true,
  toRequests: (changes) =>
    changes.map(({ after }) => ({
      operation: 'updateCustomField',
      params: { slot: after?.name },
      body: { designation: after?.fields.name, isActive: after?.fields.active },
    })),
}
