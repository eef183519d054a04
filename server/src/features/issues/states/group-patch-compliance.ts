import { sql } from 'kysely'
import type { Database } from '../../../database/connect.ts'
import { missingPatches } from '../../patches/missing-patches.ts'
import { severityOfPatch } from '../../patches/patch-severities.ts'
import { isOverduePatch } from '../../patches/patch-sla.ts'
import { releaseAgeOfPatch } from '../../patches/release-ages.ts'
import type { MissingSeverity } from '../patch-states.ts'

/** The severities of missing patches, as the answers name them. */
export const missingBySeverity = {
  critical: 'Critical',
  important: 'Important',
  moderate: 'Moderate',
  low: 'Low',
  unknown: 'Unknown',
} as const satisfies Record<string, MissingSeverity>

/** Stands for all severities, or for all times since the release, in `group_patch_compliance.cells`. */
export const allOfThem = 'All'

const missingSums = sql.join(
  Object.entries(missingBySeverity).flatMap(([name, severity]) => [
    sql.lit(name),
    sql`coalesce(sum(computers) filter (where missing_severity = ${sql.lit(severity)}), 0)`,
  ]),
)

/**
 * Counts for each group, with the groups below it, what its computers lack by severity, by the time since the release and by the SLA,
 * and records what has changed since the last count. Each missing patch is read once, and computers of the same groups are counted
 * together: only their sums are added up along the tree. Only one transaction may count at a time.
 */
export async function recordPatchCompliance(db: Database): Promise<void> {
  await sql`
    with patch as materialized (
      select patches.id, ${severityOfPatch} as severity, ${releaseAgeOfPatch} as age, ${isOverduePatch} as is_overdue
      from patches cross join installation
    ), lacking as materialized (
      select missing.computer_id, patch.severity, patch.age, count(*) as patches,
        count(*) filter (where patch.is_overdue) as overdue
      from (${missingPatches}) as missing join patch on patch.id = missing.patch_id group by 1, 2, 3
    ), member as materialized (
      select computer_id, array_agg(group_id order by group_id) as groups from group_computers group by 1
    ), reached as materialized (
      select listed.groups, above.ancestor_id as group_id
      from (select distinct groups from member) as listed
        cross join lateral (select distinct ancestor_id from group_ancestors where descendant_id = any (listed.groups)) as above
    ), own as (
      select computer_id, coalesce(severity, ${allOfThem}) as severity, coalesce(age, ${allOfThem}) as age,
        sum(patches) as patches, sum(overdue) as overdue
      from lacking group by computer_id, cube (severity, age)
    ), cell as (
      select member.groups, own.severity, own.age, count(*) as computers,
        count(*) filter (where own.overdue > 0) as overdue_computers, sum(own.patches) as patches, sum(own.overdue) as overdue
      from own join member using (computer_id) group by 1, 2, 3
    ), by_age as (
      select group_id, severity,
        jsonb_object_agg(age, jsonb_build_array(computers, overdue_computers, patches, overdue)) as ages
      from (
        select reached.group_id, cell.severity, cell.age, sum(cell.computers) as computers,
          sum(cell.overdue_computers) as overdue_computers, sum(cell.patches) as patches, sum(cell.overdue) as overdue
        from cell join reached using (groups) group by 1, 2, 3
      ) as summed
      group by group_id, severity
    ), cells as (
      select group_id, jsonb_object_agg(severity, ages) as cells from by_age group by group_id
    ), state as (
      select member.groups, summary.patch_age, summary.missing_severity, count(*) as computers
      from computer_summaries summary join member using (computer_id) group by 1, 2, 3
    ), counted as materialized (
      select summary.group_id, sum(computers)::integer as computer_count,
        coalesce(sum(computers) filter (where patch_age <> 'NotScanned'), 0)::integer as scanned,
        coalesce(sum(computers) filter (where patch_age = 'NoneMissing'), 0)::integer as compliant,
        jsonb_build_object(${missingSums}) as missing
      from (select reached.group_id, state.* from state join reached using (groups)) as summary
      group by summary.group_id
    ), vanished as (
      delete from group_patch_compliance kept
      where not exists (select from counted where counted.group_id = kept.group_id)
    ), written as (
      insert into group_patch_compliance as kept (group_id, computer_count, scanned, compliant, missing, cells)
      select counted.*, coalesce(cells.cells, '{}') from counted left join cells using (group_id)
      on conflict on constraint group_patch_compliance_pkey do update
        set computer_count = excluded.computer_count, scanned = excluded.scanned, compliant = excluded.compliant,
          missing = excluded.missing, cells = excluded.cells
        where (kept.computer_count, kept.scanned, kept.compliant, kept.missing, kept.cells)
          is distinct from (excluded.computer_count, excluded.scanned, excluded.compliant, excluded.missing, excluded.cells)
    ), overdue as (
      select count(distinct computer_id) as computers, coalesce(sum(overdue), 0) as patches from lacking where overdue > 0
    )
    update fleet_statistics
    set patch_sla = (
      select jsonb_build_object('WithinSla', greatest((counts->>'computers')::integer - not_scanned.count - overdue.computers, 0),
        'Overdue', overdue.computers, 'NotScanned', not_scanned.count, 'overduePatches', overdue.patches)
      from overdue cross join (select (counts->'patchAge'->>'NotScanned')::integer as count) as not_scanned)`.execute(
    db,
  )
}
