import { sql } from 'kysely'
import type { Database } from '../../database/connect.ts'
import type { AgentStatus } from '../agents/agent-status.ts'
import type { HealthStatus } from './computer-health.ts'
import { type IssueName, issues } from './issues.ts'
import { recentContactAges } from './states/record-computer-states.ts'

type HealthCounts = {
  /** The number of computers with at least one issue that were heard from recently. */
  withIssues: number
  /** The number of computers with each issue. */
  issues: { issue: IssueName; count: number }[]
  /** The number of computers with each pair of agent status and health. */
  statuses: { agent: AgentStatus; health: HealthStatus; count: number }[]
}

/** The aggregates of an empty fleet are null. */
type CountedStates = {
  withIssues: number
  counts: Record<string, number> | null
  statuses: HealthCounts['statuses'] | null
}

/** Counts the fleet by issue, agent status and health, as recorded by `recordComputerStates`. */
export async function countHealth(db: Database): Promise<HealthCounts> {
  const { rows } = await sql<CountedStates>`
    with states as materialized (
      select agent_status, health_status, issues, contact_age = any (${recentContactAges}::text[]) as is_recent,
        count(*) as count
      from computer_summaries group by 1, 2, 3, 4
    )
    select
      (select coalesce(sum(count), 0)::integer from states where is_recent and issues <> '{}') as "withIssues",
      (select jsonb_object_agg(issue, count) from (
        select issue, sum(count) as count from states cross join unnest(issues) as issue group by 1) as one) as counts,
      (select jsonb_agg(jsonb_build_object('agent', agent_status, 'health', health_status, 'count', count)) from (
        select agent_status, health_status, sum(count) as count from states group by 1, 2) as one) as statuses`.execute(
    db,
  )
  const [counted] = rows
  if (!counted) throw new Error('A select without a from clause returns one row.')
  const { withIssues, counts, statuses } = counted
  return {
    withIssues,
    issues: issues.map(({ name }) => ({ issue: name, count: counts?.[name] ?? 0 })),
    statuses: statuses ?? [],
  }
}
