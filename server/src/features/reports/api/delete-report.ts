import { noContent, operation } from '../../../platform/operation.ts'
import { getReport } from './get-report.ts'
import { reportNotFound } from './problems.ts'
import { requireReport } from './require-report.ts'
import { ReportPath } from './schemas.ts'

export const deleteReport = operation({
  id: 'deleteReport',
  route: 'DELETE /api/reports/:id',
  summary: 'Delete a report with its runs and documents',
  role: 'computer.read',
  extension: true,
  params: ReportPath,
  returns: noContent,
  problems: [reportNotFound],
  changes: getReport,
  async handle({ params, db, caller }) {
    await requireReport(db, params.id, caller.principal)
    await db.deleteFrom('reports').where('id', '=', params.id).execute()
  },
})
