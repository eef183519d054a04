import { sql } from 'kysely'
import { requireDifferent } from '../group-entries.ts'
import type { StateObject, StateSection } from '../state-section.ts'

/** The tags that select packages for depots, without those that every installation has. */
export const tagsSection: StateSection = {
  name: 'tags',
  property: 'tags',
  usedBy: ['packages'],
  readRole: 'package.read',
  async readCurrent(db) {
    const { rows } = await sql<{ id: number; name: string; description: string | null; isReadOnly: boolean }>`
      select id, designation as name, description, is_read_only as "isReadOnly" from tags
      order by lower(designation)`.execute(db)
    return rows.map(({ id, name, description, isReadOnly }) => ({
      ...toObject(name, description),
      id,
      details: { isReadOnly },
    }))
  },
  readDocument: ({ tags }) =>
    tags &&
    requireDifferent(
      'tags',
      tags.map(({ name, description = null }) => toObject(name, description)),
    ),
  writeDocument(objects, document) {
    document.tags = objects
      .filter(({ details }) => !(details as { isReadOnly: boolean }).isReadOnly)
      .map(({ name, fields }) => ({
        name,
        ...(fields.description !== null && { description: String(fields.description) }),
      }))
  },
  isKept: ({ details }) => (details as { isReadOnly: boolean }).isReadOnly,
  toRequests: (changes) =>
    changes.map(({ action, before, after }) => {
      if (!after) return { operation: 'deleteTag', params: { id: before?.id } }
      const body = { designation: after.name, description: after.fields.description ?? '' }
      return action === 'add'
        ? { operation: 'createTag', body }
        : { operation: 'updateTag', params: { id: before?.id }, body }
    }),
}

function toObject(name: string, description: string | null): StateObject {
  return { key: name.toLowerCase(), name, fields: { name, description } }
}
