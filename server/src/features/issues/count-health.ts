import { sql } from 'kysely'
import type { Database } from '../../database/connect.ts'
import { slowSchedules } from '../agents/agent-schedule.ts'
import { type AgentStatus, agentStatusBy } from '../agents/agent-status.ts'
import { type HealthStatus, healthStatusBy } from './computer-health.ts'
import { affectedComputers, type Issue } from './issue.ts'
import { type IssueName, issues } from './issues.ts'

type HealthCounts = {
  /** The number of computers with each issue. */
  issues: { issue: IssueName; count: number }[]
  /** The number of computers with each pair of agent status and health. */
  statuses: { agent: AgentStatus; health: HealthStatus; count: number }[]
}

/**
 * Counts the fleet by issue, agent status and health. Every issue is evaluated once: the health follows from the same
 * rows that are counted as issues.
 */
export async function countHealth(db: Database): Promise<HealthCounts> {
  const affected = issues.map(
    (issue, position) => sql`
      select ${sql.lit(position)} as issue, computer_id from (${affectedComputers(issue as Issue, {})}) as affected`,
  )
  const agentStatus = agentStatusBy({ lastSeenAt: 'contact.last_seen_at', staleAfter: 'schedule.stale_after' })
  const { rows } = await sql<{ counts: Record<number, number> | null; statuses: HealthCounts['statuses'] | null }>`
    with affected as materialized (${sql.join(affected, sql` union all `)}),
      affected_computers as (select distinct computer_id from affected),
      statuses as (
        select ${agentStatus} as agent, affected_computers.computer_id is not null as has_issue, count(*) as count
        from computers
          left join computer_contacts contact on contact.computer_id = computers.id
          left join (${slowSchedules()}) as schedule on schedule.computer_id = computers.id
          left join affected_computers on affected_computers.computer_id = computers.id
        group by 1, 2
      )
    select
      (select jsonb_object_agg(issue, count) from (select issue, count(*) from affected group by issue) as one) as counts,
      (select jsonb_agg(jsonb_build_object('agent', agent, 'count', count,
        'health', ${healthStatusBy(sql.ref('agent'), sql.ref('has_issue'))})) from statuses) as statuses`.execute(db)
  const { counts, statuses } = rows[0] ?? { counts: null, statuses: null }
  return {
    issues: issues.map(({ name }, position) => ({ issue: name, count: counts?.[position] ?? 0 })),
    statuses: statuses ?? [],
  }
}
