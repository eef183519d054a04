import type { PackageKind } from '@muster/package-format'
import { type RawBuilder, sql } from 'kysely'
import { preparedStatement } from '../../../database/prepared-statements.ts'
import { lockAgentsCtes } from '../../agents/lock-agent.ts'
import { isFrozen } from '../../blast-radius/freeze.ts'
import { insertDistributionEvents } from '../../work-states/distribution-events.ts'
import { type WorkState, workLockOrder } from '../../work-states/work-states.ts'
import { isStoppedByRollout } from '../begin-work.ts'
import { isRenewableLease, newLease } from '../lease.ts'

/** What an agent reports about a work item that it has, under the names of the columns. */
export type ReportedProgress = {
  client_id: number
  work_id: number
  attempt: number
  /** Null if the agent has not begun. */
  percent: number | null
  /** Set if the agent asks for the content of the work, which it gets only now. */
  run_id: string | null
}

export type ProgressRow = {
  client_id: number
  work_id: number
  state: WorkState
  /** Whether the attempt that the agent reports about was leased to it. */
  is_current: boolean
  was_leased: boolean
  /** Whether the freeze of the installation or a rollout keeps the agent from beginning. */
  is_stopped: boolean
  /** False for a row that needs no update, or that somebody has locked. */
  is_written: boolean
  package_id: string | null
  package_kind: PackageKind | null
}

/** Smaller changes of the percentage are not written, which saves updates. */
const minStepPercent = 5

/** Whether a freeze or a rollout stops the item in `w`: the agent has not begun it, as far as it has reported in `reported`. */
const isStopped: RawBuilder<boolean> = sql`
  (w.progress is null and (reported.percent is null or reported.run_id is not null) and
    (${isFrozen} or ${isStoppedByRollout('w')}))`

/** Whether the report is worth an update. */
const isNews: RawBuilder<boolean> = sql`
  (reported.run_id is not null or ${isRenewableLease('w.leased_until')}
    or reported.percent is not null
      and (w.progress is null or abs(w.progress - reported.percent) >= ${sql.lit(minStepPercent)}))`

/**
 * Records starts and progress of many agents in one statement. The first start of an attempt adds an event to the history;
 * a repeated one only renews the lease. Never waits for a lock.
 */
export const recordProgressRows = preparedStatement((db, reports: string) =>
  sql<ProgressRow>`
    with reported as materialized (
      select * from jsonb_to_recordset(${reports}::jsonb) as report(client_id integer, work_id bigint, attempt integer,
        percent integer, run_id uuid)
    ), ${lockAgentsCtes(sql`select client_id from reported where percent is not null`)}, news as materialized (
      select w.id, reported.percent, reported.run_id, w.progress is null and reported.percent is not null as is_first
      from work w join reported on reported.work_id = w.id and reported.client_id = w.computer_id
      where w.id = any(array(select work_id from reported)) and w.state = 'Leased' and w.attempt = reported.attempt
        -- The event of a start refers to the computer, which is therefore pinned before the work.
        and (reported.percent is null or w.computer_id in (select computer_id from locked_agent))
        and ${isNews} and not ${isStopped}
      order by ${workLockOrder('w')} for update of w skip locked
    ), written as (
      update work set leased_until = ${newLease}, run_id = coalesce(news.run_id, work.run_id),
        progress = case when news.run_id is null then coalesce(news.percent, work.progress) else coalesce(work.progress, 0) end,
        content_hash = case when news.run_id is null then work.content_hash
          else (select content_hash from packages where packages.id = work.package_id) end
      from news where work.id = news.id
      returning work.id, work.computer_id, work.package_id, work.kind, news.is_first
    ), start_events as (
      ${insertDistributionEvents({
        from: sql`written where is_first and package_id is not null`,
        result: 'Running',
        classification: 'Report',
        installMode: sql.ref('kind'),
      })}
    )
    select reported.client_id, reported.work_id, w.state, w.attempt = reported.attempt as is_current,
      w.run_id is not null as was_leased, ${isStopped} as is_stopped,
      w.id in (select id from written) as is_written, w.package_id, p.kind as package_kind
    from reported join work w on w.id = reported.work_id and w.computer_id = reported.client_id
      left join packages p on p.id = w.package_id
    where w.id = any(array(select work_id from reported))`.compile(db),
)
