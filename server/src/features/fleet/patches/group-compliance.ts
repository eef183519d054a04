import { sql } from 'kysely'
import type { Database } from '../../../database/connect.ts'
import { containing } from '../../../platform/like-pattern.ts'
import type { MissingSeverity } from '../../issues/patch-states.ts'
import { isVisibleGroup } from '../pages/group-summaries.ts'

/** The severities of missing patches, as the answer names them. */
export const missingBySeverity = {
  critical: 'Critical',
  important: 'Important',
  moderate: 'Moderate',
  low: 'Low',
  unknown: 'Unknown',
} as const satisfies Record<string, MissingSeverity>

type Compliance = {
  computers: number
  scanned: number
  compliant: number
  missing: Record<keyof typeof missingBySeverity, number>
}

/** The computers of a group and of the groups below it, each once. */
const inside = sql`
  select distinct member.computer_id
  from group_ancestors below join group_computers member on member.group_id = below.descendant_id
  where below.ancestor_id = groups.id`

const countIf = (condition: ReturnType<typeof sql>) => sql`(count(*) filter (where ${condition}))::integer`

/** One pass over the recorded states of the computers of each group. */
const compliance = sql<Compliance>`lateral (
  select count(*)::integer as computers, ${countIf(sql`summary.patch_age <> 'NotScanned'`)} as scanned,
    ${countIf(sql`summary.patch_age = 'NoneMissing'`)} as compliant,
    jsonb_build_object(${sql.join(
      Object.entries(missingBySeverity).flatMap(([name, severity]) => [
        sql.lit(name),
        countIf(sql`summary.missing_severity = ${sql.lit(severity)}`),
      ]),
    )}) as missing
  from (${inside}) as inside join computer_summaries summary on summary.computer_id = inside.computer_id
)`

/** Groups with their patch compliance, which is expensive to count: read it for a page only. */
export function groupComplianceRows(db: Database) {
  return db
    .selectFrom('groups')
    .innerJoin(compliance.as('compliance'), (join) => join.onTrue())
    .select([
      'groups.id as groupId',
      'groups.path',
      sql<number>`(select count(*)::integer from group_computers member where member.group_id = groups.id)`.as(
        'members',
      ),
      'compliance.computers',
      'compliance.scanned',
      'compliance.compliant',
      'compliance.missing',
    ])
}

/** The groups that have computers, or groups below with computers. */
export function matchingGroups(db: Database, search: string | undefined) {
  const text = search?.trim()
  const groups = db
    .selectFrom('groups')
    .select(['groups.path', 'groups.id as groupId'])
    .where(isVisibleGroup)
    .where(sql<boolean>`exists (
      select from group_ancestors below join group_computers member on member.group_id = below.descendant_id
      where below.ancestor_id = groups.id)`)
  return text ? groups.where('groups.path', 'ilike', containing(text)) : groups
}
