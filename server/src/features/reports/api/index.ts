import type { AnyOperation } from '../../../platform/operation.ts'
import { createReport } from './create-report.ts'
import { deleteReport } from './delete-report.ts'
import { getReport } from './get-report.ts'
import { getReportFile } from './get-report-file.ts'
import { listReportRuns } from './list-report-runs.ts'
import { listReports } from './list-reports.ts'
import { runReport } from './run-report.ts'
import { updateReport } from './update-report.ts'

export const reportsApi: readonly AnyOperation[] = [
  listReports,
  createReport,
  getReport,
  updateReport,
  deleteReport,
  runReport,
  listReportRuns,
  getReportFile,
]
