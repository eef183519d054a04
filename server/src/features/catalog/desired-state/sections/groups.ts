import { sql } from 'kysely'
import type { PartRequest } from '../../../../platform/steps.ts'
import { groupEntry, groupReference, requireDifferent } from '../group-entries.ts'
import type { ChangeContext, StateChange, StateSection } from '../state-section.ts'

type Row = { id: string; path: string; description: string | null; tree: string; kind: string; members: number }

type Details = { tree: string; isRoot: boolean; members: number }

/**
 * The trees of groups, without those that the service makes for reinstalls and emergencies. Groups are identified by their
 * paths, so a group that was moved is another one.
 */
export const groupsSection: StateSection = {
  name: 'groups',
  property: 'groups',
  usedBy: ['patchGroups'],
  readRole: 'group.read',
  async readCurrent(db) {
    const { rows } = await sql<Row>`
      select id, path, description, tree, kind,
        (select count(*) from group_computers member where member.group_id = own.id)::integer as members
      from permanent_groups own
      where tree in ('ConfigurationGroups', 'AssignmentGroups')
        and not exists (select from emergencies where emergencies.group_id = own.id)
      order by lower(path)`.execute(db)
    return rows.map(({ id, path, description, tree, kind, members }) => ({
      key: path.toLowerCase(),
      name: path,
      id,
      fields: { path, description },
      groups: [path],
      details: { tree, isRoot: kind === 'System', members } satisfies Details,
    }))
  },
  readDocument: ({ groups }) =>
    groups &&
    requireDifferent(
      'groups',
      groups.map(({ path, description = null }) => ({
        key: path.toLowerCase(),
        name: path,
        fields: { path, description },
        groups: [path],
        needs: path.includes('/') ? [groupReference(parentOf(path))] : [],
      })),
    ),
  writeDocument(objects, document) {
    document.groups ??= []
    for (const { name, fields } of objects) {
      const entry = groupEntry(document, name)
      if (fields.description !== null) entry.description = String(fields.description)
    }
  },
  isKept: ({ details }) => (details as Details).isRoot,
  blockersOf({ action, before, after }) {
    const { isRoot, members } = (before?.details ?? { isRoot: false, members: 0 }) as Details
    if (action === 'remove' && members > 0)
      return [
        members === 1
          ? 'it has 1 computer: move it to another group first'
          : `it has ${members} computers: move them to another group first`,
      ]
    if (action === 'change' && isRoot) return ['the root of a tree cannot be changed']
    if (action === 'add' && !after?.name.includes('/'))
      return ['its path does not begin with Configuration or Assignment']
    return []
  },
  toRequests: (changes, context) => changes.map((change) => toRequest(change, context)),
}

function toRequest({ action, before, after }: StateChange, context: ChangeContext): PartRequest {
  if (!after) return { operation: 'deleteGroup', params: { id: before?.id } }
  const name = after.name.slice(after.name.lastIndexOf('/') + 1)
  const { description } = after.fields
  if (action === 'change')
    return { operation: 'updateGroup', params: { id: before?.id }, body: { name, description: description ?? '' } }
  const root = context.find('groups', after.key.split('/')[0] ?? '')
  return {
    operation: 'createGroup',
    body: {
      name,
      type: (root?.details as Details | undefined)?.tree,
      parentId: context.idOf('groups', parentOf(after.key)),
      description,
    },
  }
}

const parentOf = (path: string) => path.slice(0, path.lastIndexOf('/'))
