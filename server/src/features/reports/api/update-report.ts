import { sql } from 'kysely'
import { forbidden } from '../../../platform/general-problems.ts'
import { ok, operation } from '../../../platform/operation.ts'
import { patchOf, Type } from '../../../platform/schema.ts'
import { webhookNotFound } from '../../webhooks/api/problems.ts'
import { nextRunAfter } from '../schedule.ts'
import { checkReport, normaliseReportSchedule } from './check-report.ts'
import { getReport } from './get-report.ts'
import {
  duplicateReportName,
  recipientRefused,
  reportNotFound,
  reportOfAnother,
  reportPrincipalInactive,
} from './problems.ts'
import { requireOwnReport, requireReport } from './require-report.ts'
import { changeableProperties, Report, ReportPath } from './schemas.ts'

export const updateReport = operation({
  id: 'updateReport',
  route: 'PATCH /api/reports/:id',
  summary: 'Change, pause or continue a report',
  description:
    'For `schedule` and `webhookId`, null removes what is set. A report that continues after a pause is due at the next time of its schedule. Administrators may pause the reports of others, and change nothing else.',
  role: 'computer.read',
  extension: true,
  params: ReportPath,
  body: patchOf(
    {
      ...changeableProperties,
      isPaused: Type.Boolean({ examples: [true], description: 'The report is not made while it is paused' }),
    },
    { title: 'UpdateReportRequest' },
  ),
  returns: ok(Report),
  problems: [
    reportNotFound,
    reportOfAnother,
    duplicateReportName,
    recipientRefused,
    reportPrincipalInactive,
    webhookNotFound,
    forbidden,
  ],
  changes: getReport,
  async handle({ params, body, db, caller, services }) {
    const { principal } = caller
    const isPauseOnly = body.isPaused === true && Object.keys(body).length === 1
    const report = await (isPauseOnly ? requireReport : requireOwnReport)(db, params.id, principal)
    const changed = {
      kind: report.kind,
      webhookId: body.webhookId === undefined ? report.webhookId : body.webhookId,
      recipients: body.recipients ?? report.recipients,
    }
    if (!isPauseOnly) await checkReport(db, principal, changed)
    const schedule = body.schedule === undefined ? report.schedule : normaliseReportSchedule(body.schedule)
    if (body.isPaused === false && !(await services.principals.find(report.principalId)))
      throw reportPrincipalInactive({ principalId: report.principalId })
    const isRescheduled = body.schedule !== undefined || body.isPaused === false
    await db
      .updateTable('reports')
      .set({
        name: body.name ?? report.name,
        format: body.format ?? report.format,
        webhook_id: changed.webhookId,
        recipients: changed.recipients,
        ...(body.schedule !== undefined && {
          schedule: schedule && sql<string>`${JSON.stringify(schedule)}::jsonb`,
        }),
        ...(isRescheduled && { next_run_at: schedule && nextRunAfter(schedule, new Date()) }),
        ...(body.isPaused != null && { is_paused: body.isPaused, pause_reason: null }),
      })
      .where('id', '=', params.id)
      .execute()
    return requireReport(db, params.id, principal)
  },
})
