import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../database/connect.ts'
import { ago } from '../../database/sql-time.ts'
import { containing } from '../../platform/like-pattern.ts'
import { Int32, Type, text, Uuid } from '../../platform/schema.ts'
import { requireGroup } from './groups.ts'

/** Query parameters that limit a fleet-wide read to some of the computers. */
export const fleetFilters = {
  lastSeenWithinDays: Type.Optional({
    ...Int32,
    minimum: 0,
    examples: [30],
    description: 'Only computers whose agent contacted the server within this number of days',
  }),
  domain: Type.Optional(text(255, 'corp.example.org', 'Only computers in this domain, regardless of case')),
  hostnameContains: Type.Optional(
    text(255, 'pc-00', 'Only computers whose name contains this text, regardless of case'),
  ),
  groupId: Type.Optional({ ...Uuid, description: 'Only members of this group and of the groups below it' }),
  IsEmpty: Type.Optional(Type.Boolean({ examples: [false], description: 'Accepted but ignored' })),
}

export type FleetFilter = {
  lastSeenWithinDays?: number
  domain?: string
  hostnameContains?: string
  groupId?: string
}

/** Selects the `computer_id` of the computers that match the filter; undefined if the filter is empty. Throws `groupNotFound`. */
export async function fleetScope(
  db: Database,
  filter: FleetFilter,
): Promise<RawBuilder<{ computer_id: number }> | undefined> {
  const { lastSeenWithinDays: days, domain, hostnameContains, groupId } = filter
  // Without this, a mistyped group would have no issues.
  if (groupId) await requireGroup(db, groupId)
  const conditions: RawBuilder<boolean>[] = [
    ...(days === undefined
      ? []
      : [
          sql<boolean>`exists (
      select from computer_contacts contact
      where contact.computer_id = computer.id and contact.last_seen_at >= ${ago({ days })})`,
        ]),
    ...(domain ? [sql<boolean>`lower(computer.domain) = lower(${domain})`] : []),
    ...(hostnameContains ? [sql<boolean>`computer.name ilike ${containing(hostnameContains)}`] : []),
    ...(groupId
      ? [
          sql<boolean>`exists (
      select from effective_memberships member
        join group_ancestors below on below.descendant_id = member.group_id
      where member.computer_id = computer.id and below.ancestor_id = ${groupId})`,
        ]
      : []),
  ]
  if (conditions.length === 0) return undefined
  if (days !== undefined && conditions.length === 1)
    return sql`select contact.computer_id from computer_contacts contact where contact.last_seen_at >= ${ago({ days })}`
  return sql<{ computer_id: number }>`
    select computer.id as computer_id from computers computer where ${sql.join(conditions, sql` and `)}`
}
