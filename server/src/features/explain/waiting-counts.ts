import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../database/connect.ts'
import { type AgentFactRow, agentFactRows, toAgentFacts } from '../hand-out/agent-facts.ts'
import { type BlockerReason, blockersOf } from '../hand-out/blockers.ts'
import { type WorkFacts, workFactColumns, workOf } from '../hand-out/work-facts.ts'
import { computersToFix } from '../patches/computers-to-fix.ts'
import { isOpenWork } from '../work-states/work-states.ts'

/** Of the grouping, before the count. */
const columnCount = 37

type Computers = RawBuilder<{ owner_id: number }>

/** The facts that many computers share, and how many do. */
type SharedFacts = WorkFacts & AgentFactRow & { computers: number }

export type ReasonCount = {
  reason: BlockerReason
  computers: number
  /** On how many computers it is the first blocker. */
  first: number
  earliest_end: Date | null
  latest_end: Date | null
}

export type WaitingCounts = { waiting: number; due: number; running: number; reasons: ReasonCount[] }

/** Times in the future are rounded up to the minute so that few of them differ; times in the past are all alike. */
const sharedTime = (column: string): RawBuilder<Date | null> =>
  sql`case when ${sql.ref(column)} > now() then date_trunc('minute', ${sql.ref(column)}) + interval '1 minute'
    when ${sql.ref(column)} <= now() then now() end`

/**
 * Counts the open work with a package by what blocks it. PostgreSQL groups computers with equal facts, and the rules of
 * the hand-out are applied to each group once.
 */
export async function countWaiting(
  db: Database,
  computers: Computers,
  { id, kind }: { id: string; kind: string },
): Promise<WaitingCounts> {
  const hasPatches = kind === 'PatchFix' ? sql`fact.computer_id in (${computersToFix(computers)})` : sql`null::boolean`
  const { rows } = await sql<SharedFacts>`
    with fact as materialized (
      select w.computer_id, requester.is_enrolled, requester.is_quarantined, requester.silent_since, requester.is_suspended,
        requester.suspended_until, ${workFactColumns}
      from ${workOf(agentFactRows(computers))}
      where w.package_id = ${id} and ${isOpenWork('w.state')}
    )
    select kind, attempt, failures, postponements, delays, commands, schedule, ${sharedTime('not_before')} as not_before, delayed_by,
      window_ends_at, optional_date, is_leased, case when is_leased then ${sharedTime('leased_until')} end as leased_until,
      package_id, package_kind, is_released, hash_state, is_pre_os, awaited_packages, awaited_removal, conflicting_packages,
      superseded_packages, unready_replacements, unmet_condition, ${hasPatches} as has_patches,
      is_frozen, is_enrolled, is_quarantined, case when silent_since is not null then now() end as silent_since, is_suspended,
      case when is_suspended then ${sharedTime('suspended_until')} end as suspended_until, now() as now,
      rollout_state, rollout_windows, rollout_time_zone, rollout_deadline, time_limit_minutes, count(*)::integer as computers
    from fact
    group by ${sql.join(Array.from({ length: columnCount }, (_, index) => sql.lit(index + 1)))}`.execute(db)
  return countReasons(rows)
}

function countReasons(rows: readonly SharedFacts[]): WaitingCounts {
  const counts: WaitingCounts = { waiting: 0, due: 0, running: 0, reasons: [] }
  for (const row of rows) {
    const blockers = blockersOf(row, toAgentFacts(row))
    if (row.is_leased) counts.running += row.computers
    else if (blockers.length > 0) counts.waiting += row.computers
    else counts.due += row.computers
    if (row.is_leased) continue
    for (const [place, { reason, until }] of blockers.entries()) {
      let count = counts.reasons.find((known) => known.reason === reason)
      if (!count) {
        count = { reason, computers: 0, first: 0, earliest_end: null, latest_end: null }
        counts.reasons.push(count)
      }
      count.computers += row.computers
      if (place === 0) count.first += row.computers
      if (until && (!count.earliest_end || until < count.earliest_end)) count.earliest_end = until
      if (until && (!count.latest_end || until > count.latest_end)) count.latest_end = until
    }
  }
  counts.reasons.sort((a, b) => b.first - a.first || b.computers - a.computers || a.reason.localeCompare(b.reason))
  return counts
}
