import { sql } from 'kysely'
import type { Database } from '../../database/connect.ts'
import type { Static } from '../../platform/schema.ts'
import type { RingRequest } from '../rollouts/api/request-schemas.ts'
import type { Criteria } from '../rollouts/criteria.ts'

/** How the members of a group are kept converged, as it is stored. */
export type ConvergenceSetting = {
  groupId: string
  isOn: boolean
  rings: Static<typeof RingRequest>[]
  criteria: Criteria
  timeZone: string | null
  expectedComputers: number
  expectedPercent: number | null
  maxRemovals: number
  maxRepairsPerDay: number
}

/** All members are compared this often, for what no trigger marks, such as another operating system. */
export const comparisonInterval = sql`interval '1 hour'`

/** After a change, members are compared within this time. */
export const maxComparisonDelay = sql`interval '2 minutes'`

/** The columns of a setting; `alias` is that of the row of `group_convergence`. */
export const settingColumns = (alias: string) => {
  const column = (name: string) => sql.ref(`${alias}.${name}`)
  return sql<ConvergenceSetting>`
    ${column('group_id')} as "groupId", ${column('is_on')} as "isOn", ${column('rings')}, ${column('criteria')},
    ${column('time_zone')} as "timeZone", ${column('expected_computers')} as "expectedComputers",
    ${column('expected_percent')} as "expectedPercent", ${column('max_removals')} as "maxRemovals",
    ${column('max_repairs_per_day')} as "maxRepairsPerDay"`
}

/** What a group has unless it is set otherwise. An agent that is away for an hour keeps no wave open. */
export const convergenceDefaults: Pick<
  ConvergenceSetting,
  'rings' | 'expectedComputers' | 'maxRemovals' | 'maxRepairsPerDay'
> & { awayHours: number } = {
  rings: [{ percent: 10 }, {}],
  awayHours: 1,
  expectedComputers: 100,
  maxRemovals: 10,
  maxRepairsPerDay: 3,
}

/** Stores the setting of a group, which the caller has pinned. All members are compared soon. */
export async function storeConvergence(db: Database, setting: ConvergenceSetting, changedBy: string): Promise<void> {
  const values = {
    is_on: setting.isOn,
    rings: sql<string>`${JSON.stringify(setting.rings)}::jsonb`,
    criteria: sql<string>`${JSON.stringify(setting.criteria)}::jsonb`,
    time_zone: setting.timeZone,
    expected_computers: setting.expectedComputers,
    expected_percent: setting.expectedPercent,
    max_removals: setting.maxRemovals,
    max_repairs_per_day: setting.maxRepairsPerDay,
    changed_by: changedBy,
    changed_at: sql<Date>`now()`,
    marked_at: sql<Date>`now()`,
    problem_code: null,
  }
  await db
    .insertInto('group_convergence')
    .values({ group_id: setting.groupId, ...values })
    .onConflict((row) => row.constraint('group_convergence_pkey').doUpdateSet(values))
    .execute()
}
