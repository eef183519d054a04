import { sql } from 'kysely'
import type { Database } from '../../../database/connect.ts'
import type { GroupCompliance } from '../../issues/patch-compliance.ts'
import { type PatchSeverity, severityOfPatch } from '../../patches/patch-severities.ts'
import { isOverduePatch } from '../../patches/patch-sla.ts'
import { type ReleaseAge, releaseAgeOfPatch } from '../../patches/release-ages.ts'
import { listedGroupKinds } from '../computer-list/groups-of-computer.ts'
import { countsByPatch } from './patch-list.ts'

type Cell = { severity: PatchSeverity; age: ReleaseAge; patches: number; missing: number; overdue: number }

/** Counts the patches that computers lack by severity and age. Reads the kept counts, a row or a few for each patch. */
export async function countBySeverityAndAge(db: Database): Promise<Cell[]> {
  const { rows } = await sql<Cell>`
    select ${severityOfPatch} as severity, ${releaseAgeOfPatch} as age, count(*)::integer as patches,
      sum(counts.missing)::integer as missing,
      coalesce(sum(counts.missing) filter (where ${isOverduePatch}), 0)::integer as overdue
    from (${countsByPatch}) as counts join patches on patches.id = counts.patch_id cross join installation
    where counts.missing > 0 group by 1, 2`.execute(db)
  return rows
}

/** The kept patch compliance of groups, the largest first. */
export async function listGroupCompliance(db: Database) {
  const { rows } = await sql<GroupCompliance & { name: string; path: string }>`
    select groups.id as "groupId", groups.name, groups.path, kept.computers, kept.scanned, kept.compliant
    from fleet_statistics
      cross join jsonb_to_recordset(fleet_statistics.patch_compliance)
        as kept ("groupId" uuid, computers integer, scanned integer, compliant integer)
      join groups on groups.id = kept."groupId" and ${listedGroupKinds}
    order by kept.computers desc, groups.path, groups.id`.execute(db)
  return rows
}

type Scanned = {
  computers: number
  scanned: number
  compliant: number
  withinSla: number
  overdueComputers: number
  overduePatches: number
}

/** The computers of the fleet by their patch scans, as of its last count; null before the first one. */
export async function findFleetCompliance(db: Database): Promise<Scanned | null> {
  const { rows } = await sql<Scanned>`
    select (counts->>'computers')::integer as computers,
      (counts->>'computers')::integer - (counts->'patchAge'->>'NotScanned')::integer as scanned,
      (counts->'patchAge'->>'NoneMissing')::integer as compliant, (patch_sla->>'WithinSla')::integer as "withinSla",
      (patch_sla->>'Overdue')::integer as "overdueComputers", (patch_sla->>'overduePatches')::integer as "overduePatches"
    from fleet_statistics where patch_sla is not null`.execute(db)
  return rows[0] ?? null
}
