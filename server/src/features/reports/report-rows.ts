import { sql } from 'kysely'
import type { Database } from '../../database/connect.ts'
import type { ReportKind } from './contents/index.ts'
import type { ReportFormat } from './documents/document.ts'
import type { ReportSchedule } from './schedule.ts'

/** Reports as the API shows them. */
export function reportRows(db: Database) {
  return db
    .selectFrom('reports')
    .leftJoin('groups', 'groups.id', 'reports.group_id')
    .select([
      'reports.id',
      'reports.name',
      sql<ReportKind>`reports.kind`.as('kind'),
      sql<ReportFormat>`reports.format`.as('format'),
      'reports.group_id as groupId',
      'groups.path as groupPath',
      sql<ReportSchedule | null>`reports.schedule`.as('schedule'),
      'reports.webhook_id as webhookId',
      'reports.recipients',
      'reports.principal_id as principalId',
      'reports.is_paused as isPaused',
      'reports.pause_reason as pauseReason',
      'reports.next_run_at as nextRunAtUtc',
      'reports.created_at as createdAtUtc',
    ])
}

export const runStates = ['Waiting', 'Succeeded', 'Failed'] as const

/** Runs as the API shows them. */
export function runRows(db: Database) {
  return db
    .selectFrom('report_runs')
    .select([
      'id',
      'report_id as reportId',
      'is_requested as isRequested',
      'due_at as dueAtUtc',
      sql<(typeof runStates)[number]>`state`.as('state'),
      'attempts',
      'next_attempt_at as nextAttemptAtUtc',
      'row_count as rows',
      'total_count as totalRows',
      'posted_at as postedAtUtc',
      'mailed_at as mailedAtUtc',
      'error',
      'ended_at as endedAtUtc',
      sql<boolean>`exists (select from report_files file where file.run_id = report_runs.id)`.as('hasFile'),
    ])
}
