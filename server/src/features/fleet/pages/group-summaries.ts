import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../../database/connect.ts'
import { containing } from '../../../platform/like-pattern.ts'

/** The kinds of groups that people see: a group of the kind Reinstall belongs to the work of a reinstall. */
export const visibleGroupKinds = ['System', 'Ordinary', 'EOL', 'Restore'] as const

export type VisibleGroupKind = (typeof visibleGroupKinds)[number]

/** Groups with the number of their computers. A computer in several groups below a group counts once. */
export function groupSummaryRows(db: Database) {
  return db.selectFrom('groups').select([
    'groups.id',
    'groups.name',
    'groups.tree as assignedToTree',
    'groups.parent_id as parentId',
    'groups.description',
    'groups.path',
    sql<VisibleGroupKind>`groups.kind`.as('kind'),
    sql<number>`(
        select count(*)::integer from group_computers member where member.group_id = groups.id)`.as('members'),
    sql<number>`(
        select count(distinct member.computer_id)::integer
        from group_ancestors below join group_computers member on member.group_id = below.descendant_id
        where below.ancestor_id = groups.id)`.as('computers'),
  ])
}

export const isVisibleGroup = sql<boolean>`groups.kind = any (${visibleGroupKinds}::text[])
  and groups.tree in ('ConfigurationGroups', 'AssignmentGroups')`

/** Whether a row of `groups` is the group, and has all words in its path. */
export function matchesGroupSearch({ search, groupId }: { search?: string; groupId?: string }): RawBuilder<boolean> {
  const words = search?.split(/\s+/).filter((word) => word !== '') ?? []
  const conditions = words.map((word) => sql`groups.path ilike ${containing(word)}`)
  return sql<boolean>`${sql.join(
    [sql`true`, ...conditions, ...(groupId === undefined ? [] : [sql`groups.id = ${groupId}::uuid`])],
    sql` and `,
  )}`
}
