import { type RawBuilder, sql } from 'kysely'
import { effectiveAssignments } from '../assignments/effective-assignments.ts'
import { maxContactMinutes } from './settings.ts'

/** No agent is stale before this time, however short its contact interval is. */
export const minHoursUntilStale = 24

/** An agent is stale when it is late by half of its contact interval. */
const allowedIntervals = 1.5

const maxMinutesOfDailyAgents = (minHoursUntilStale * 60) / allowedIntervals

/**
 * The time after the last contact from which the agent of a computer is stale: one and a half contact intervals of its
 * template, but at least 24 hours. `computerId` is the column with the id of the computer.
 *
 * Resolving the template of a computer is expensive, so nothing is resolved unless some template has an interval that
 * matters.
 */
export function agentStaleAfter(computerId: string): RawBuilder<unknown> {
  const owner = sql<{ owner_id: number }>`select ${sql.ref(computerId)} as owner_id`
  const minimum = sql`make_interval(hours => ${sql.lit(minHoursUntilStale)})`
  return sql`case when (${hasSlowTemplate()}) then greatest(${minimum}, (
      select make_interval(mins => ceil(${sql.lit(allowedIntervals)} * ${contactMinutesOf('template')})::integer)
      from (${effectiveAssignments('agentTemplate', 'computer', owner)}) as effective
        join packages template on template.id = effective.object_id))
    else ${minimum} end`
}

/** Whether an assigned template has such a long interval that 24 hours without a contact are on schedule. */
function hasSlowTemplate(): RawBuilder<{ exists: boolean }> {
  return sql<{ exists: boolean }>`select exists (
    select from group_agent_templates assignment join packages template on template.id = assignment.package_id
    where ${contactMinutesOf('template')} > ${sql.lit(maxMinutesOfDailyAgents)})`
}

/** The interval of a template as `contactMinutes` reads it, or null if the template has no valid one. */
function contactMinutesOf(template: string): RawBuilder<number | null> {
  const interval = sql`${sql.ref(`${template}.manifest`)} #> '{settings,contactIntervalMinutes}'`
  return sql<number | null>`case when jsonb_typeof(${interval}) = 'number'
    then least(${sql.lit(maxContactMinutes)}, (${interval})::numeric) end`
}
