import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../database/connect.ts'

/** Within how many days of its release a patch of each severity has to be installed; null: no SLA. */
export type SlaDays = Record<'critical' | 'important' | 'moderate' | 'low' | 'unrated', number | null>

export const slaColumns = [
  'sla_critical_days as critical',
  'sla_important_days as important',
  'sla_moderate_days as moderate',
  'sla_low_days as low',
  'sla_unrated_days as unrated',
] as const

export function getSla(db: Database): Promise<SlaDays> {
  return db.selectFrom('installation').select(slaColumns).executeTakeFirstOrThrow()
}

/** The days that a row of `patches` has, by its severity. Needs the table `installation` in the query. */
export const slaDaysOfPatch = sql<number | null>`case patches.severity_rank
  when 4 then installation.sla_critical_days when 3 then installation.sla_important_days
  when 2 then installation.sla_moderate_days when 1 then installation.sla_low_days
  else installation.sla_unrated_days end`

export const todayInUtc = sql<string>`(now() at time zone 'UTC')::date`

/**
 * The last day on which a row of `patches` is within its SLA; null without one. The days count from the release that documents state,
 * and otherwise from the first report: the dates that a computer reports must not excuse it.
 */
export const dueDayOfPatch = sql<string | null>`(
  coalesce(case when not patches.is_known_by_scan_only then patches.release_date end,
    (patches.created_at at time zone 'UTC')::date) + ${slaDaysOfPatch})`

/** Whether a row of `patches` is beyond its SLA wherever it is missing. */
export const isOverduePatch: RawBuilder<boolean> = sql<boolean>`coalesce(${dueDayOfPatch} < ${todayInUtc}, false)`
