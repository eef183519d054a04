import { sql } from 'kysely'
import type { PartRequest } from '../../../../platform/steps.ts'
import { requireDifferent } from '../group-entries.ts'
import type { StateObject, StateSection } from '../state-section.ts'

type Fields = { name: string; url: string; types: string[]; paused: boolean }

/** Webhooks, without those about one computer. The service makes their secrets, so they are not part of the state. */
export const webhooksSection: StateSection = {
  name: 'webhooks',
  property: 'webhooks',
  readRole: 'admin.manage',
  async readCurrent(db) {
    const { rows } = await sql<Fields & { id: string }>`
      select id, name, url, types, is_paused as paused from webhooks where computer_id is null
      order by lower(name)`.execute(db)
    return rows.map(({ id, ...fields }) => ({ ...toObject(fields), id }))
  },
  readDocument: ({ webhooks }) =>
    webhooks &&
    requireDifferent(
      'webhooks',
      webhooks.map(({ name, url, types = [], paused = false }) => toObject({ name, url, types, paused })),
    ),
  writeDocument(objects, document) {
    document.webhooks = objects.map(({ fields }) => {
      const { name, url, types, paused } = fields as Fields
      return { name, url, ...(types.length > 0 && { types }), ...(paused && { paused }) }
    })
  },
  toRequests: (changes) =>
    changes.flatMap(({ action, before, after, fields }): PartRequest[] => {
      const params = { id: before?.id }
      if (!after) return [{ operation: 'deleteWebhook', params }]
      const { paused, ...content } = after.fields as Fields
      if (action === 'add')
        return [
          { operation: 'createWebhook', body: content },
          ...(paused ? [{ operation: 'updateWebhook', params: toPath, body: { isPaused: true } }] : []),
        ]
      // Pausing again would delete the reason for a pause.
      const isPauseChanged = fields.some(({ field }) => field === 'paused')
      return [{ operation: 'updateWebhook', params, body: { ...content, ...(isPauseChanged && { isPaused: paused }) } }]
    }),
}

/** The path of the webhook that was just created. */
const toPath = ([created]: readonly unknown[]) => ({ id: (created as { id: string }).id })

function toObject(fields: Fields): StateObject {
  return { key: fields.name.toLowerCase(), name: fields.name, fields: { ...fields, types: fields.types.toSorted() } }
}
