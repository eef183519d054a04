import { ok, operation } from '../../../platform/operation.ts'
import { pageOf, paging } from '../../../platform/paging.ts'
import { closed, pagedResultOf } from '../../../platform/schema.ts'
import { runRows } from '../report-rows.ts'
import { reportNotFound } from './problems.ts'
import { requireReport } from './require-report.ts'
import { ReportPath, ReportRun } from './schemas.ts'

export const listReportRuns = operation({
  id: 'listReportRuns',
  route: 'GET /api/reports/:id/runs',
  summary: 'List the last runs of a report, newest first',
  role: 'computer.read',
  extension: true,
  params: ReportPath,
  query: closed(paging),
  returns: ok(pagedResultOf(ReportRun)),
  problems: [reportNotFound],
  async handle(call) {
    const { params, db, caller } = call
    await requireReport(db, params.id, caller.principal)
    const runs = runRows(db).where('report_id', '=', params.id)
    return pageOf(call, runs, { columns: ['dueAtUtc', 'id'], descending: true })
  },
})
