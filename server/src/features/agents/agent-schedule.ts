import { type RawBuilder, sql } from 'kysely'
import { effectiveAssignments } from '../assignments/effective-assignments.ts'
import { defaultContactMinutes, isFollowed, maxContactMinutes, settingsHash, templateSettings } from './settings.ts'

/** No agent is stale before this time, however short its contact interval is. */
const minHoursUntilStale = 24

/** An agent is stale when it is late by half of its contact interval. */
const allowedIntervals = 1.5

const maxMinutesOfDailyAgents = (minHoursUntilStale * 60) / allowedIntervals

/** The time after the last contact from which an agent is stale, unless it has a slow schedule. */
export const minStaleAfter = sql`make_interval(hours => ${sql.lit(minHoursUntilStale)})`

export type SlowSchedule = {
  computer_id: number
  /** The time after the last contact from which the agent is stale: an interval. */
  stale_after: unknown
}

/**
 * The computers whose agents may make no contact for more than 24 hours: their templates have long contact intervals.
 * Computers with a contact in the last 24 hours are left out, because resolving templates is expensive. A statement about
 * one computer joins this by `computer_id` and resolves only the template of that computer.
 */
export function slowSchedules(): RawBuilder<SlowSchedule> {
  const lateComputers = sql<{ owner_id: number }>`
    select late.computer_id as owner_id from computer_contacts late
    where late.last_seen_at <= now() - ${minStaleAfter} and (${hasSlowTemplate()})`
  return sql<SlowSchedule>`
    select effective.owner_id as computer_id,
      make_interval(mins => ceil(${sql.lit(allowedIntervals)} * ${contactMinutesOf('template')})::integer) as stale_after
    from (${effectiveAssignments('agentTemplate', 'computer', lateComputers)}) as effective
      join packages template on template.id = effective.object_id
      left join agents on agents.computer_id = effective.owner_id
    where ${isSlow('template')} and ${isFollowed('template', 'agents')}`
}

export type ContactInterval = {
  computer_id: number
  /** The time between contacts of an agent that nobody can call. */
  contact_interval: unknown
}

/**
 * The contact interval with which each agent runs, by the hash of the settings that it has reported. Unlike `slowSchedules`, this
 * resolves no templates, so it is cheap for the whole fleet. An agent that has not fetched the settings of its new template yet
 * has the default interval if the previous template is changed or deleted.
 */
export function contactIntervals(): RawBuilder<ContactInterval> {
  return sql<ContactInterval>`
    select agents.computer_id,
      make_interval(secs => 60 * coalesce(own.minutes, ${sql.lit(defaultContactMinutes)})::double precision) as contact_interval
    from agents
      left join (
        select ${settingsHash(templateSettings('template'))} as settings_hash, min(${contactMinutesOf('template')}) as minutes
        from packages template
        where template.kind = 'AgentTemplate' and ${contactMinutesOf('template')} > 0
        group by 1
      ) as own on own.settings_hash = agents.settings_hash`
}

function hasSlowTemplate(): RawBuilder<{ exists: boolean }> {
  return sql<{ exists: boolean }>`select exists (
    select from group_agent_templates assignment join packages template on template.id = assignment.package_id
    where ${isSlow('template')})`
}

function isSlow(template: string): RawBuilder<boolean> {
  return sql<boolean>`${contactMinutesOf(template)} > ${sql.lit(maxMinutesOfDailyAgents)}`
}

/** The interval of a template as `contactMinutes` reads it, or null if the template has no valid one. */
function contactMinutesOf(template: string): RawBuilder<number | null> {
  const interval = sql`${sql.ref(`${template}.manifest`)} #> '{settings,contactIntervalMinutes}'`
  return sql<number | null>`case when jsonb_typeof(${interval}) = 'number'
    then least(${sql.lit(maxContactMinutes)}, (${interval})::numeric) end`
}
