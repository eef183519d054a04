import { sql } from 'kysely'
import { groupEntry, groupReference } from '../group-entries.ts'
import type { StateSection } from '../state-section.ts'

/**
 * EOL and Restore groups. Their content cannot be changed, so groups become such groups last of all, and ordinary ones
 * first of all.
 */
export const groupKindsSection: StateSection = {
  name: 'groupKinds',
  property: 'groups',
  readRole: 'group.read',
  async readCurrent(db) {
    const { rows } = await sql<{ path: string; kind: string }>`
      select path, kind from groups where kind in ('EOL', 'Restore')
        and tree in ('ConfigurationGroups', 'AssignmentGroups') order by lower(path)`.execute(db)
    return rows.map(({ path, kind }) => ({ key: path.toLowerCase(), name: path, fields: { kind }, groups: [path] }))
  },
  readDocument: ({ groups }, { current }) =>
    groups
      ?.filter(
        ({ path, kind = 'Ordinary' }) => kind !== 'Ordinary' || current.get('groupKinds')?.has(path.toLowerCase()),
      )
      .map(({ path, kind = 'Ordinary' }) => ({
        key: path.toLowerCase(),
        name: path,
        fields: { kind },
        groups: [path],
        needs: [groupReference(path)],
      })),
  writeDocument(objects, document) {
    for (const { name, fields } of objects) groupEntry(document, name).kind = fields.kind as 'EOL' | 'Restore'
  },
  isKept: () => true,
  isFirst: ({ after }) => after?.fields.kind === 'Ordinary',
  toRequests: (changes, { idOf }) =>
    changes.map(({ after }) => ({
      operation: 'setGroupKind',
      params: { id: idOf('groups', after?.key ?? '') },
      body: { kind: after?.fields.kind },
    })),
}
