import { sql } from 'kysely'
import { advisoryLocks } from '../../database/advisory-locks.ts'
import type { Database } from '../../database/connect.ts'
import { isOpenWork } from '../work-states/work-states.ts'
import { workChanges } from './work-changes.ts'

/** Metrics have one label value for each package, so their number is limited. */
const maxPackages = 20

/** Nodes share one count: a node whose turn comes earlier than this after another one does nothing. */
const minPauseSeconds = 10

export const workAges = ['UpTo1Hour', 'UpTo1Day', 'UpTo7Days', 'Older'] as const

export type GaugeCounts = {
  /** Open work by its state and the time since its creation. */
  openWork: { state: string; age: (typeof workAges)[number]; count: number }[]
  /** For how long the oldest open work item has waited: one that is due since its start, a leased one since its creation. */
  oldestWork: { state: string; seconds: number }[]
  /** The work of all tasks that are kept. */
  work: Record<'due' | 'leased' | 'success' | 'failed' | 'cancelled', number>
  /** Failed deployments of the packages with most of them; the others together have the name null. */
  failures: { package: string | null; count: number }[]
  jobs: { queue: string; status: string; count: number; oldestSeconds: number }[]
}

const openWork = sql`
  select state, created_at, greatest(created_at, case when state = 'Due' then not_before else created_at end) as since
  from work where closed_at is null and ${isOpenWork('state')}`

const listOf = (rows: ReturnType<typeof sql>) => sql`(
  select coalesce(jsonb_agg(to_jsonb(listed)), '[]') from (${rows}) as listed)`

const workByAge = sql`
  select state, case
      when created_at > now() - interval '1 hour' then 'UpTo1Hour'
      when created_at > now() - interval '1 day' then 'UpTo1Day'
      when created_at > now() - interval '7 days' then 'UpTo7Days'
      else 'Older' end as age, count(*) as count
  from open_work group by 1, 2`

const oldestWork = sql`
  select state, floor(extract(epoch from now() - min(since))) as seconds
  from open_work where since <= now() group by 1`

const workOfTasks = sql`(
  select jsonb_build_object('due', coalesce(sum(due), 0), 'leased', coalesce(sum(leased), 0),
    'success', coalesce(sum(success), 0), 'failed', coalesce(sum(failed), 0), 'cancelled', coalesce(sum(cancelled), 0))
  from ${workChanges} as change)`

const failuresByPackage = sql`
  select case when place <= ${maxPackages} then name end as package, sum(count) as count
  from (
    select concat_ws(' ', packages.name, packages.version) as name, count,
      row_number() over (order by count desc, packages.id) as place
    from (select package_id, count(*) as count from deployments where status = 'Failed' group by 1) as failed
      join packages on packages.id = failed.package_id
  ) as ranked
  group by 1`

const unfinishedJobs = sql`
  select queue, status, count(*) as count,
    floor(extract(epoch from now() - min(case when status = 'Pending' then requested_at else started_at end)))
      as "oldestSeconds"
  from background_jobs where status in ('Pending', 'Running') group by 1, 2`

/** Counts what monitoring asks for, in one statement, unless another node did so a moment ago. Returns whether it did. */
export async function refreshFleetGauges(db: Database): Promise<boolean> {
  const { numAffectedRows = 0n } = await sql`
    with due as materialized (
      select pg_try_advisory_xact_lock(${advisoryLocks.fleetGauges}) as is_mine
      where not exists (
        select from fleet_gauges where calculated_at > now() - make_interval(secs => ${minPauseSeconds}))
    ), open_work as materialized (${openWork} and exists (select from due where is_mine))
    insert into fleet_gauges (calculated_at, counts)
    select now(), jsonb_build_object('openWork', ${listOf(workByAge)}, 'oldestWork', ${listOf(oldestWork)},
      'work', ${workOfTasks}, 'failures', ${listOf(failuresByPackage)}, 'jobs', ${listOf(unfinishedJobs)})
    from due where is_mine
    on conflict on constraint fleet_gauges_pkey do update
      set calculated_at = excluded.calculated_at, counts = excluded.counts`.execute(db)
  return numAffectedRows > 0n
}
