import { ok, operation } from '../../../platform/operation.ts'
import { reportNotFound } from './problems.ts'
import { requireReport } from './require-report.ts'
import { Report, ReportPath } from './schemas.ts'

export const getReport = operation({
  id: 'getReport',
  route: 'GET /api/reports/:id',
  summary: 'Get a report',
  role: 'computer.read',
  extension: true,
  params: ReportPath,
  returns: ok(Report),
  problems: [reportNotFound],
  unversioned: ['nextRunAtUtc', 'groupPath'],
  handle: ({ params, db, caller }) => requireReport(db, params.id, caller.principal),
})
