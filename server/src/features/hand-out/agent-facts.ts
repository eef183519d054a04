import { type RawBuilder, sql } from 'kysely'
import { slowSchedules } from '../agents/agent-schedule.ts'
import { isAgentLate } from '../agents/agent-status.ts'
import type { AgentFacts } from './blockers.ts'
import type { RequesterRow } from './work-facts.ts'

/** What is known about the agents of computers between two contacts, and the process that makes the next contact. */
export type AgentFactRow = RequesterRow & {
  is_enrolled: boolean
  is_quarantined: boolean
  silent_since: Date | null
  is_suspended: boolean
  suspended_until: Date | null
  /** Whether the agent is one that cannot do every work item. */
  may_refuse: boolean
}

/**
 * One row for each computer. The next contact is expected from the process that was seen last. An inventory agent asks
 * again for what it has not started.
 */
export function agentFactRows(computers: RawBuilder<{ owner_id: number }>): RawBuilder<AgentFactRow> {
  return sql<AgentFactRow>`
    select owner.owner_id, coalesce(device.run_id, a.recent_runs[1]) as run_id, device.run_id is not null as is_duplicate_process,
      device.run_id is not null as has_no_leased_work, a.kind is distinct from 'Muster' as may_refuse,
      a.computer_id is not null as is_enrolled,
      (a.computer_id is null or late.is_late)
        and exists (select from quarantined_agents claim where claim.computer_id = owner.owner_id) as is_quarantined,
      case when late.is_late then contact.last_seen_at end as silent_since,
      a.suspension_mode is not null and (a.suspended_until is null or a.suspended_until > now()) as is_suspended,
      a.suspended_until
    from (${computers}) as owner
      left join agents a on a.computer_id = owner.owner_id
      left join computer_contacts contact on contact.computer_id = a.computer_id
      left join (${slowSchedules()}) as slow on slow.computer_id = owner.owner_id
      left join lateral (
        select stored.run_id from fusion_devices stored
        where stored.computer_id = a.computer_id and a.kind <> 'Muster' order by stored.id desc limit 1
      ) as device on true
      cross join lateral (
        select coalesce(${isAgentLate({ lastSeenAt: 'contact.last_seen_at', staleAfter: 'slow.stale_after' })}, false) as is_late
      ) as late`
}

/** An agent between two contacts runs in the operating system, as far as anybody knows, and its user requests nothing. */
export function toAgentFacts(row: Omit<AgentFactRow, keyof RequesterRow | 'may_refuse'>): AgentFacts {
  return {
    isEnrolled: row.is_enrolled,
    isQuarantined: row.is_quarantined,
    silentSince: row.silent_since,
    suspension: row.is_suspended ? { until: row.suspended_until } : null,
    environment: 'OperatingSystem',
    requestedPackages: [],
  }
}
