import { type RawBuilder, sql } from 'kysely'

/** A combination of the values by which people filter computers, and the number of computers that have it. */
export type StateCombination = {
  operating_system: string | null
  health_status: string
  agent_status: string
  contact_age: string
  connection: string
  next_contact: string
  issues: string[]
  patch_age: string
  missing_severity: string
  count: number
}

/** Counts the computers that meet a condition on their row `summary` by all their values together. */
export function countCombinations(condition: RawBuilder<boolean>): RawBuilder<StateCombination> {
  return sql<StateCombination>`
    select operating_system, health_status, agent_status, contact_age, connection, next_contact, issues, patch_age,
      missing_severity, count(*) as count
    from computer_summaries summary where ${condition} group by 1, 2, 3, 4, 5, 6, 7, 8, 9`
}

export const combinationsAsJson = sql`
  select coalesce(jsonb_agg(combination), '[]') from (${countCombinations(sql<boolean>`true`)}) as combination`

/** The combinations of the whole fleet as of its last count, which need not be counted again. */
export const storedCombinations = sql<StateCombination>`
  select combination.*
  from fleet_statistics cross join jsonb_to_recordset(fleet_statistics.combinations) as combination (
    operating_system text, health_status text, agent_status text, contact_age text, connection text, next_contact text, issues text[],
    patch_age text, missing_severity text, count integer)`
