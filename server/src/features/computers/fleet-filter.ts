import { type RawBuilder, sql } from 'kysely'
import { ago } from '../../database/sql-time.ts'
import { containing } from '../../platform/like-pattern.ts'
import { Int32, Type, text, Uuid } from '../../platform/schema.ts'

/** The query parameters by which questions about the fleet are narrowed to some computers. */
export const fleetFilters = {
  lastSeenWithinDays: Type.Optional({
    ...Int32,
    minimum: 0,
    examples: [30],
    description: 'Only computers that contacted the server within so many days',
  }),
  domain: Type.Optional(text(255, 'corp.example.org', 'Only computers of this domain')),
  hostnameContains: Type.Optional(text(255, 'pc-00', 'Only computers with this in their name')),
  groupId: Type.Optional({ ...Uuid, description: 'Only computers that are themselves in this group' }),
  IsEmpty: Type.Optional(Type.Boolean({ examples: [false], description: 'Accepted and without effect' })),
}

export type FleetFilter = {
  lastSeenWithinDays?: number
  domain?: string
  hostnameContains?: string
  groupId?: string
}

/** Selects `computer_id` of the computers that pass; undefined where all do. */
export function fleetScope(filter: FleetFilter): RawBuilder<{ computer_id: number }> | undefined {
  const { lastSeenWithinDays: days, domain, hostnameContains, groupId } = filter
  const conditions: RawBuilder<unknown>[] = [
    ...(days === undefined
      ? []
      : [
          sql`exists (
      select from computer_contacts contact
      where contact.computer_id = asked.id and contact.last_seen_at >= ${ago({ days })})`,
        ]),
    ...(domain ? [sql`lower(asked.domain) = lower(${domain})`] : []),
    ...(hostnameContains ? [sql`asked.name ilike ${containing(hostnameContains)}`] : []),
    ...(groupId
      ? [
          sql`exists (
      select from group_computers member where member.computer_id = asked.id and member.group_id = ${groupId})`,
        ]
      : []),
  ]
  if (conditions.length === 0) return undefined
  if (days !== undefined && conditions.length === 1)
    return sql`select contact.computer_id from computer_contacts contact where contact.last_seen_at >= ${ago({ days })}`
  return sql<{ computer_id: number }>`
    select asked.id as computer_id from computers asked where ${sql.join(conditions, sql` and `)}`
}
