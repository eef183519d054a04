import { sql } from 'kysely'
import { forbidden } from '../../../platform/general-problems.ts'
import { accepted, operation } from '../../../platform/operation.ts'
import { runRows } from '../report-rows.ts'
import { insertRun } from '../schedule.ts'
import { reportNotFound, reportOfAnother, reportRunWaiting } from './problems.ts'
import { requireOwnReport } from './require-report.ts'
import { ReportPath, ReportRun } from './schemas.ts'

export const runReport = operation({
  id: 'runReport',
  route: 'POST /api/reports/:id/runs',
  summary: 'Make a report now, and send it where it is sent by schedule',
  description: 'It begins within seconds, even if the report is paused. listReportRuns shows how far it is.',
  role: 'computer.read',
  extension: true,
  params: ReportPath,
  returns: accepted(ReportRun),
  problems: [reportNotFound, reportOfAnother, reportRunWaiting, forbidden],
  async handle({ params, db, caller }) {
    await requireOwnReport(db, params.id, caller.principal)
    // Concurrent requests wait for each other here.
    await sql`select from reports where id = ${params.id} for no key update`.execute(db)
    const waiting = await runRows(db)
      .where('report_id', '=', params.id)
      .where('is_requested', '=', true)
      .where('state', '=', 'Waiting')
      .executeTakeFirst()
    if (waiting) throw reportRunWaiting({ runId: waiting.id })
    const runId = await insertRun(db, params.id, new Date(), true)
    return runRows(db).where('id', '=', runId).executeTakeFirstOrThrow()
  },
})
