import { type RawBuilder, sql } from 'kysely'
import { enumOf, Type } from '../../../platform/schema.ts'
import { agentStatuses } from '../../agents/agent-status.ts'
import { healthStatuses } from '../../issues/computer-health.ts'
import { groupNamesOf, listedGroupKinds } from './groups-of-computer.ts'

export const sortNames = [
  'hostname',
  'domain',
  'operatingSystem',
  'osVersion',
  'loggedOnUser',
  'ipAddress',
  'serialNumber',
  'manufacturer',
  'model',
  'healthStatus',
  'agentStatus',
  'lastSeenUtc',
  'issues',
  'groups',
] as const

export type SortName = (typeof sortNames)[number]

export type ComputerSort = { sort: SortName; descending: boolean }

export const sortParameters = {
  sort: {
    ...enumOf(sortNames, {
      description:
        'The property by which computers are sorted, then by id. An empty value is the smallest. Addresses are compared as ' +
        'numbers, health and agent status by severity, issues by their number, other texts without regard to case.',
    }),
    default: 'hostname',
    examples: ['lastSeenUtc'],
  },
  descending: Type.Boolean({ default: false, examples: [false], description: 'Whether the order is reversed' }),
}

type SortKey = {
  /** The key of a row `summary` with what `join` adds. Never null, because a cursor contains it. */
  key: RawBuilder<string | number | Date>
  /** What the key needs besides `summary`. All computers of the fleet are joined before they are sorted. */
  join?: RawBuilder<unknown>
  /** The same key for a few rows, if `join` is worthwhile for the whole fleet only. */
  keyOfRow?: RawBuilder<string>
}

const textKey = (column: string) => sql<string>`coalesce(lower(${sql.ref(column)}), '')`
const rankOf = (values: readonly string[], column: string) =>
  sql<number>`array_position(${sql.lit(`{${values.join(',')}}`)}::text[], ${sql.ref(column)})`
const joinOf = (table: string, column: string) =>
  sql`left join ${sql.table(table)} on ${sql.ref(`${table}.${column}`)} = summary.computer_id`

const sortKeys: Record<SortName, SortKey> = {
  hostname: { key: sql.ref('summary.name_key') },
  domain: { key: textKey('computers.domain'), join: joinOf('computers', 'id') },
  operatingSystem: { key: textKey('summary.operating_system') },
  osVersion: { key: textKey('summary.os_version') },
  loggedOnUser: { key: textKey('agents.logged_on_user'), join: joinOf('agents', 'computer_id') },
  ipAddress: { key: sql<string>`coalesce(summary.address_key, '0.0.0.0')` },
  serialNumber: { key: textKey('bios_records.serial_number'), join: joinOf('bios_records', 'computer_id') },
  manufacturer: { key: textKey('computers.manufacturer'), join: joinOf('computers', 'id') },
  model: { key: textKey('summary.model') },
  healthStatus: { key: rankOf(healthStatuses, 'summary.health_status') },
  agentStatus: { key: rankOf(agentStatuses, 'summary.agent_status') },
  lastSeenUtc: {
    key: sql<Date>`coalesce(computer_contacts.last_seen_at, '-infinity')`,
    join: joinOf('computer_contacts', 'computer_id'),
  },
  issues: { key: sql<number>`cardinality(summary.issues)` },
  groups: {
    key: sql<string>`coalesce(memberships.names, '')`,
    join: sql`left join (
      select member.computer_id, string_agg(lower(groups.name), ', ' order by lower(groups.name)) as names
      from group_computers member join groups on groups.id = member.group_id and ${listedGroupKinds}
      group by member.computer_id
    ) as memberships on memberships.computer_id = summary.computer_id`,
    keyOfRow: sql<string>`coalesce(${groupNamesOf('summary.computer_id')}, '')`,
  },
}

/** Selects the id and the sort key of every computer that meets the condition on its row `summary`. */
export function sortedComputers(
  { sort }: ComputerSort,
  condition: RawBuilder<boolean>,
): RawBuilder<{ id: number; sortKey: string | number | Date }> {
  const { key, join = sql`` } = sortKeys[sort]
  return sql`
    select summary.computer_id as id, ${key} as "sortKey" from computer_summaries summary ${join} where ${condition}`
}

/** The sort key of a row `summary` that is joined with the other tables of the list. */
export function sortKeyOfRow({ sort }: ComputerSort): RawBuilder<string | number | Date> {
  const { key, keyOfRow } = sortKeys[sort]
  return keyOfRow ?? key
}
