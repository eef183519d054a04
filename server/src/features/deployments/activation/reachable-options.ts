import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../../database/connect.ts'
import { parseSchedule, windowAt } from '../../distribution/schedule.ts'

/** What the distribution options of all groups above some computers ask for. */
export type ReachableOptions = {
  /** A table `windows`: for each schedule, the window that is open now or opens next. */
  windows: RawBuilder<{ schedule: string; starts_at: Date; ends_at: Date | null }>
  /** Whether any package of the installation requires or supersedes another one. */
  hasRelations: boolean
  /** Whether any of the options asks for Wake-on-LAN. */
  canWake: boolean
}

/** What the work that is due depends on besides assignments. */
export type DueOptions = Pick<ReachableOptions, 'windows' | 'hasRelations'>

/** Whether any package of the installation requires or supersedes another one. */
const hasPackageRelations = sql<boolean>`
  exists (select from package_requirements) or exists (select from package_supersedes)`

/** When work is due does not matter. Without relations, their parts of a statement are left out: they take long to plan. */
export async function loadUnscheduledOptions(db: Database): Promise<DueOptions> {
  const { rows } = await sql<{ hasRelations: boolean }>`select ${hasPackageRelations} as "hasRelations"`.execute(db)
  return { windows: noWindows, hasRelations: rows[0]?.hasRelations ?? true }
}

const noWindows: ReachableOptions['windows'] = sql`
  unnest('{}'::text[], '{}'::timestamptz[], '{}'::timestamptz[]) as windows (schedule, starts_at, ends_at)`

/** The same in a statement that is made before anything is read. */
export const unscheduled: DueOptions = { windows: noWindows, hasRelations: true }

/** Reads the distribution options that can apply to packages of the computers, with their windows at a time. */
export async function loadReachableOptions(
  db: Database,
  computers: RawBuilder<{ owner_id: number }>,
  at: Date,
): Promise<ReachableOptions> {
  const { rows } = await sql<{ schedule: string; wol: boolean; has_relations: boolean }>`
    select schedule, bool_or(wol) as wol, false as has_relations from distribution_options
    where group_id in (
      select above.ancestor_id from group_ancestors above
      where above.descendant_id in (select group_id from group_computers where computer_id in (${computers})))
    group by schedule
    union all
    select '', false, true
    where ${hasPackageRelations}`.execute(db)
  const schedules = rows.map(({ schedule }) => schedule).filter((schedule) => schedule !== '')
  const windows = schedules.map((schedule) => windowAt(parseSchedule(schedule), at))
  return {
    windows: sql`unnest(
      ${schedules}::text[],
      ${windows.map((window) => window?.start ?? 'infinity')}::timestamptz[],
      ${windows.map((window) => window?.end ?? null)}::timestamptz[]
    ) as windows (schedule, starts_at, ends_at)`,
    hasRelations: rows.some(({ has_relations }) => has_relations),
    canWake: rows.some(({ wol }) => wol),
  }
}
