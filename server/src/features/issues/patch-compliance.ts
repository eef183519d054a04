import { sql } from 'kysely'
import { missingPatch } from './missing-patch.ts'

/** Smaller groups are left out. */
const maxGroups = 100

/** Members of a group: all, those with a patch scan, and those of them that lack no security patch. */
export type GroupCompliance = { groupId: string; computers: number; scanned: number; compliant: number }

/** The patch compliance of the groups with the most direct members, from the issues that were recorded before. */
export const complianceAsJson = sql`
  select coalesce(jsonb_agg(compliance), '[]') from (
    select member.group_id as "groupId", count(*) as computers, count(scan.computer_id) as scanned,
      count(scan.computer_id) filter (where not summary.issues @> array[${missingPatch.name}::text]) as compliant
    from group_computers member
      join computer_summaries summary on summary.computer_id = member.computer_id
      left join patch_scans scan on scan.computer_id = member.computer_id
    group by member.group_id order by computers desc, member.group_id limit ${maxGroups}
  ) as compliance`
