import { sql } from 'kysely'
import { forbidden } from '../../../platform/general-problems.ts'
import { sourceOf } from '../../../platform/http/send-file.ts'
import { fileContent, fileType, operation } from '../../../platform/operation.ts'
import type { ReportFormat } from '../documents/document.ts'
import { fileNameOf } from '../file-name.ts'
import { reportFileMissing, reportNotFound, reportOfAnother } from './problems.ts'
import { requireOwnReport } from './require-report.ts'
import { RunPath } from './schemas.ts'

export const getReportFile = operation({
  id: 'getReportFile',
  route: 'GET /api/reports/:id/runs/:runId/file',
  summary: 'Download the document of a run',
  description: 'Only the principal of the report may do so, with the roles that the report requires.',
  role: 'computer.read',
  extension: true,
  params: RunPath,
  returns: fileContent,
  answerType: fileType,
  problems: [reportNotFound, reportOfAnother, reportFileMissing, forbidden],
  async handle({ params: { id, runId }, db, caller, setHeader }) {
    const report = await requireOwnReport(db, id, caller.principal)
    const file = await db
      .selectFrom('report_files')
      .innerJoin('report_runs', 'report_runs.id', 'report_files.run_id')
      .select(['content', sql<ReportFormat>`format`.as('format')])
      .where('report_runs.id', '=', runId)
      .where('report_runs.report_id', '=', id)
      .executeTakeFirst()
    if (!file) throw reportFileMissing({ runId })
    setHeader('content-disposition', `attachment; filename="${fileNameOf({ name: report.name, format: file.format })}"`)
    return { file: sourceOf(file.content), size: file.content.length, etag: `"${runId}"` }
  },
})
