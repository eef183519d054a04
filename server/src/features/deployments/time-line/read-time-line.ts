import { sql } from 'kysely'
import type { Database } from '../../../database/connect.ts'
import { listFailureGroups } from './failure-groups.ts'
import { changesOfTasks, type TaskIds, type WorkCounts } from './work-counts.ts'

/** The counts at the end of an interval that begins at `fromUtc`. */
export type TimeLinePoint = WorkCounts & { fromUtc: Date }

export type TimeLine = { intervalMinutes: number; points: TimeLinePoint[] }

/** A chart of a screen has room for about as many points. */
export const maxPoints = 240

const intervals = [1, 2, 5, 10, 15, 30, 60, 120, 180, 360, 720, 1_440, 2_880, 10_080, 43_200, 525_600]

/** Reads how the work of the tasks progressed, and why work failed. */
export async function readWorkTimeLine(db: Database, tasks: TaskIds) {
  return { ...(await readTimeLine(db, tasks)), failureGroups: await listFailureGroups(db, tasks) }
}

/**
 * Reads how the work of the tasks progressed: the number of work items in each state after every interval, from the first
 * change to the last one. It chooses the shortest interval that needs at most `maxPoints`.
 */
async function readTimeLine(db: Database, tasks: TaskIds): Promise<TimeLine> {
  const { rows } = await sql<TimeLinePoint & { intervalMinutes: number }>`
    with change as materialized (${changesOfTasks(tasks)}),
      span as (select min(minute) as first, max(minute) as last from change having count(*) > 0),
      width as (
        select min(minutes) as minutes, make_interval(mins => min(minutes)) as width
        from span, unnest(${intervals}::integer[]) as minutes
        where last - first < make_interval(mins => minutes * ${maxPoints - 1})
      ),
      point as (
        select generate_series(date_bin(width, first, timestamptz 'epoch'), date_bin(width, last, timestamptz 'epoch'), width)
          as started_at
        from span, width
      ),
      grouped as (
        select date_bin(width, minute, timestamptz 'epoch') as started_at, sum(due) as due, sum(leased) as leased,
          sum(success) as success, sum(failed) as failed, sum(cancelled) as cancelled
        from change, width group by 1
      )
    select point.started_at as "fromUtc", width.minutes as "intervalMinutes",
      ${runningSum('due')} as due, ${runningSum('leased')} as leased, ${runningSum('success')} as succeeded,
      ${runningSum('failed')} as failed, ${runningSum('cancelled')} as cancelled
    from width, point left join grouped using (started_at)
    order by point.started_at`.execute(db)
  return {
    intervalMinutes: rows[0]?.intervalMinutes ?? 1,
    points: rows.map(({ intervalMinutes: _, ...point }) => point),
  }
}

const runningSum = (column: string) =>
  sql<number>`coalesce(sum(grouped.${sql.ref(column)}) over (order by point.started_at), 0)::integer`
