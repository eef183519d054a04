import { sql } from 'kysely'
import type { Database } from '../../database/connect.ts'
import { nextStart, noSchedule } from '../distribution/schedule.ts'

export const frequencies = ['Daily', 'Weekly', 'Monthly'] as const
export const weekdayNames = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'] as const

export type ReportSchedule = {
  frequency: (typeof frequencies)[number]
  /** Hours and minutes, such as 06:30. */
  time: string
  timeZone: string
  weekday?: (typeof weekdayNames)[number] | null
  dayOfMonth?: number | null
}

/** When a report is due next, later than the given time. A time that the clocks skip is that of their change. */
export function nextRunAfter(
  { frequency, time, timeZone, weekday, dayOfMonth }: ReportSchedule,
  at: Date,
): Date | null {
  const [hour, minute] = time.split(':').map(Number)
  const day = frequency === 'Monthly' ? (dayOfMonth ?? 1) : '*'
  const days = frequency === 'Weekly' ? (weekday ?? 'Monday').slice(0, 3).toUpperCase() : '*'
  const cron = `${minute} ${hour} ${day} * ${days}`
  return nextStart({ ...noSchedule, cron, timeZone }, new Date(at.getTime() + 1))
}

/** Runs of a report that are kept, and those of them that keep their document. */
const maxRuns = 20
const maxDocuments = 5

/** Adds a run that is due at once. The oldest runs and documents make room. */
export async function insertRun(db: Database, reportId: string, dueAt: Date, isRequested: boolean): Promise<string> {
  const { rows } = await sql<{ id: string }>`
    with outdated as (
      delete from report_runs where report_id = ${reportId} and id in (
        select id from report_runs where report_id = ${reportId} order by due_at desc, id offset ${maxRuns - 1})
    ), outdated_documents as (
      delete from report_files where run_id in (
        select id from report_runs where report_id = ${reportId} order by due_at desc, id offset ${maxDocuments - 1})
    )
    insert into report_runs (report_id, due_at, is_requested) values (${reportId}, ${dueAt}, ${isRequested})
    returning id`.execute(db)
  return rows[0]?.id ?? ''
}
