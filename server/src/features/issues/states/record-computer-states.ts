import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../../database/connect.ts'
import { contactIntervals, slowSchedules } from '../../agents/agent-schedule.ts'
import { agentStatusBy, isServerWithoutAgent } from '../../agents/agent-status.ts'
import { healthStatusBy } from '../computer-health.ts'
import { affectedComputers, type Issue } from '../issue.ts'
import { issues } from '../issues.ts'
import { missingPatchFacts, missingSeverity, patchAge } from '../patch-states.ts'
import { nextContactOf } from './next-contact.ts'

/** How long ago the last contact was: within a day, a week (7 days) or a month (30 days), longer ago, or never. */
export const contactAges = ['Day', 'Week', 'Month', 'Older', 'Never'] as const

export type ContactAge = (typeof contactAges)[number]

/** Within the 30 days that the overview of issues covers by default. */
export const recentContactAges: readonly ContactAge[] = ['Day', 'Week', 'Month']

/** A trigger that updates a summary waits for the rows that one run has locked, so a run records at most this many. */
export const maxRecordedStates = 10_000

/**
 * Records in `computer_summaries` which issues each computer has and how urgently it needs patches, and the agent status, the
 * health, the ages of the last and the next contact and the connection that follow from the same rows and the same point in time.
 * Writes only what has changed, for at most `maxRecordedStates` computers. Returns their number.
 */
export async function recordComputerStates(db: Database): Promise<number> {
  const affected = issues.map(
    (issue, position) => sql`
      select ${sql.lit(position)} as position, ${sql.lit(issue.name)} as issue, computer_id
      from (${affectedComputers(issue as Issue, {})}) as affected`,
  )
  const agentStatus = agentStatusBy({ lastSeenAt: 'contact.last_seen_at', staleAfter: 'schedule.stale_after' })
  const nextContact = nextContactOf({
    lastSeenAt: 'contact.last_seen_at',
    connected: 'connected.computer_id',
    contactInterval: 'expected.contact_interval',
  })
  const health = healthStatusBy(
    sql.ref('current.agent_status'),
    sql`current.issues <> '{}'`,
    sql.ref('current.needs_no_agent'),
  )
  const { numAffectedRows } = await sql`
    with affected as materialized (${sql.join(affected, sql` union all `)}),
      found as (select computer_id, array_agg(issue order by position) as issues from affected group by computer_id),
      current as (
        select computers.id as computer_id, ${agentStatus} as agent_status,
          ${isServerWithoutAgent('computers')} as needs_no_agent,
          ${contactAgeOf('contact.last_seen_at')} as contact_age,
          case when connected.computer_id is null then 'NotConnected' else 'Connected' end as connection,
          ${nextContact} as next_contact,
          coalesce(found.issues, '{}') as issues,
          ${patchAge} as patch_age, ${missingSeverity} as missing_severity
        from computers
          left join computer_contacts contact on contact.computer_id = computers.id
          left join connected_computers connected on connected.computer_id = computers.id
          left join (${slowSchedules()}) as schedule on schedule.computer_id = computers.id
          left join (${contactIntervals()}) as expected on expected.computer_id = computers.id
          left join found on found.computer_id = computers.id
          left join patch_scans scan on scan.computer_id = computers.id
          left join (${missingPatchFacts}) as missing on missing.computer_id = computers.id
      ),
      changed as materialized (
        select current.*, health.status as health_status
        from current
          cross join lateral (
            select ${health} as status) as health
          join computer_summaries summary on summary.computer_id = current.computer_id
        where (summary.agent_status, summary.health_status, summary.contact_age, summary.connection, summary.next_contact,
            summary.issues, summary.patch_age, summary.missing_severity)
          is distinct from (current.agent_status, health.status, current.contact_age, current.connection, current.next_contact,
            current.issues, current.patch_age, current.missing_severity)
        order by current.computer_id limit ${maxRecordedStates}
      ),
      -- A row that somebody else is changing is recorded by the next run.
      locked as materialized (
        select computer_id from computer_summaries where computer_id = any (array(select computer_id from changed))
        order by computer_id for no key update skip locked
      )
    update computer_summaries summary
    set agent_status = changed.agent_status, health_status = changed.health_status, contact_age = changed.contact_age,
      connection = changed.connection, next_contact = changed.next_contact, issues = changed.issues, patch_age = changed.patch_age,
      missing_severity = changed.missing_severity
    from changed join locked using (computer_id)
    where summary.computer_id = changed.computer_id`.execute(db)
  return Number(numAffectedRows ?? 0)
}

function contactAgeOf(column: string): RawBuilder<ContactAge> {
  const lastSeen = sql.ref(column)
  return sql<ContactAge>`case
    when ${lastSeen} is null then 'Never'
    when ${lastSeen} > now() - interval '24 hours' then 'Day'
    when ${lastSeen} > now() - interval '7 days' then 'Week'
    when ${lastSeen} > now() - interval '30 days' then 'Month'
    else 'Older' end`
}
