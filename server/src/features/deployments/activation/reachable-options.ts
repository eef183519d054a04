import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../../database/connect.ts'
import { parseSchedule, windowAt } from '../../distribution/schedule.ts'

export type OptionsInReach = {
  /** A table of `schedule`, `starts_at` and `ends_at`: the window of each schedule that is open at the time, or next. */
  windows: RawBuilder<unknown>
  /** Whether some options ask for Wake-on-LAN. */
  canWake: boolean
}

/** Reads what the options say that can hold for packages of the computers. */
export async function optionsInReach(db: Database, computers: RawBuilder<unknown>, at: Date): Promise<OptionsInReach> {
  const { rows } = await sql<{ schedule: string; wol: boolean }>`
    select schedule, bool_or(wol) as wol from distribution_options
    where group_id in (
      select above.ancestor_id from group_ancestors above
      where above.descendant_id in (select group_id from group_computers where computer_id in (${computers})))
    group by schedule`.execute(db)
  const found = rows.filter(({ schedule }) => schedule !== '')
  const opening = found.map(({ schedule }) => windowAt(parseSchedule(schedule), at))
  return {
    windows: sql`unnest(
      ${found.map(({ schedule }) => schedule)}::text[],
      ${opening.map((window) => window?.start ?? 'infinity')}::timestamptz[],
      ${opening.map((window) => window?.end ?? null)}::timestamptz[]
    ) as windows (schedule, starts_at, ends_at)`,
    canWake: rows.some(({ wol }) => wol),
  }
}
