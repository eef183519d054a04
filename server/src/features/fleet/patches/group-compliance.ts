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

const countIf = (condition: ReturnType<typeof sql>) => sql`(count(*) filter (where ${condition}))::integer`

/**
 * Adds the compliance of each group by the recorded states of the computers in it and below it, each once: one pass for all of the
 * groups, because a pass for each group finds the states of computers again and again.
 */
export async function withCompliance<G extends { groupId: string }>(
  db: Database,
  groups: readonly G[],
): Promise<(G & Compliance)[]> {
  const groupIds = groups.map(({ groupId }) => groupId)
  const { rows } = await sql<Compliance & { groupId: string }>`
    select inside.group_id as "groupId", count(*)::integer as computers,
      ${countIf(sql`summary.patch_age <> 'NotScanned'`)} as scanned,
      ${countIf(sql`summary.patch_age = 'NoneMissing'`)} as compliant,
      jsonb_build_object(${sql.join(
        Object.entries(missingBySeverity).flatMap(([name, severity]) => [
          sql.lit(name),
          countIf(sql`summary.missing_severity = ${sql.lit(severity)}`),
        ]),
      )}) as missing
    from (
      select distinct below.ancestor_id as group_id, member.computer_id
      from group_ancestors below join group_computers member on member.group_id = below.descendant_id
      where below.ancestor_id = any(${groupIds}::uuid[])
    ) as inside join computer_summaries summary on summary.computer_id = inside.computer_id
    group by inside.group_id`.execute(db)
  const counted = new Map(rows.map(({ groupId, ...compliance }) => [groupId, compliance]))
  return groups.map((group) => ({ ...group, ...(counted.get(group.groupId) ?? noCompliance) }))
}

/** A group that has lost its computers since it was found. */
const noCompliance: Compliance = {
  computers: 0,
  scanned: 0,
  compliant: 0,
  missing: { critical: 0, important: 0, moderate: 0, low: 0, unknown: 0 },
}

/** Groups with the number of their members. */
export function memberCountRows(db: Database) {
  return db
    .selectFrom('groups')
    .select([
      'groups.id as groupId',
      'groups.path',
      sql<number>`(select count(*)::integer from group_computers member where member.group_id = groups.id)`.as(
        'members',
      ),
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
