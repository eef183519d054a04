import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { deleteLocalPrincipal } from '../../src/features/principals/api/delete-local-principal.ts'
import { setLocalPrincipalRevoked } from '../../src/features/principals/api/set-local-principal-revoked.ts'
import { updateLocalPrincipal } from '../../src/features/principals/api/update-local-principal.ts'
import { createReport } from '../../src/features/reports/api/create-report.ts'
import { deleteReport } from '../../src/features/reports/api/delete-report.ts'
import { getReport } from '../../src/features/reports/api/get-report.ts'
import { getReportFile } from '../../src/features/reports/api/get-report-file.ts'
import { listReportRuns } from '../../src/features/reports/api/list-report-runs.ts'
import { listReports } from '../../src/features/reports/api/list-reports.ts'
import { runReport } from '../../src/features/reports/api/run-report.ts'
import { updateReport } from '../../src/features/reports/api/update-report.ts'
import { insertRun } from '../../src/features/reports/schedule.ts'
import { openReportWorld } from './report-world.ts'

const { admin, db, lastRun, makeReports, nameOfReport, ownerWith, receiver } = await openReportWorld()

test('the loss of a role ends the schedule, and nothing is made or sent', async () => {
  const owner = await ownerWith('computer.read', 'pm.read')
  const { body } = await owner.call(createReport, {
    body: { name: nameOfReport(), kind: 'PatchCompliance', format: 'Csv', recipients: ['one@example.org'] },
  })
  await owner.call(runReport, { params: { id: body.id } })
  await admin.call(updateLocalPrincipal, {
    params: { id: owner.id },
    body: { roles: ['computer.read'], description: null, expiresAtUtc: null },
  })
  await makeReports()

  expect((await admin.call(getReport, { params: { id: body.id } })).body).toMatchObject({
    isPaused: true,
    pauseReason: 'The principal of the report no longer has the role pm.read.',
  })
  expect(await lastRun(body.id, admin)).toMatchObject({ state: 'Failed', hasFile: false })
  expect(receiver.received).toEqual([])
  const again = await owner.call(updateReport, { params: { id: body.id }, body: { isPaused: false } })
  expect(again.problem).toBe('Forbidden')
})

test('a role that is lost while a report is tried again ends it as well, and its document', async () => {
  const owner = await ownerWith('computer.read', 'pm.read')
  const { body } = await owner.call(createReport, {
    body: { name: nameOfReport(), kind: 'PatchCompliance', format: 'Csv', recipients: ['one@example.org'] },
  })
  receiver.refuse('4.2.1 Not now')
  await owner.call(runReport, { params: { id: body.id } })
  await makeReports()
  const run = await lastRun(body.id, owner)
  expect(run).toMatchObject({ state: 'Waiting', hasFile: true })
  await admin.call(updateLocalPrincipal, {
    params: { id: owner.id },
    body: { roles: ['computer.read'], description: null, expiresAtUtc: null },
  })
  await sql`update report_runs set next_attempt_at = now()`.execute(db)
  await makeReports()
  expect(await lastRun(body.id, owner)).toMatchObject({ state: 'Failed' })
  expect(receiver.received).toEqual([])
  const file = await owner.call(getReportFile, { params: { id: body.id, runId: run?.id ?? '' } })
  expect(file.problem).toBe('Forbidden')
})

test('reports of a revoked principal are paused at once, and those of a deleted one are deleted', async () => {
  const owner = await ownerWith('computer.read')
  const create = { name: nameOfReport(), kind: 'Software' as const, format: 'Csv' as const }
  const { body } = await owner.call(createReport, { body: create })
  await owner.call(runReport, { params: { id: body.id } })
  await admin.call(setLocalPrincipalRevoked, { params: { id: owner.id }, body: { isRevoked: true } })
  const { body: paused } = await admin.call(getReport, { params: { id: body.id } })
  expect(paused).toMatchObject({ isPaused: true, pauseReason: 'The principal of the report was revoked.' })
  await makeReports()
  expect(await lastRun(body.id, admin)).toMatchObject({ state: 'Failed', hasFile: false })
  await admin.call(deleteLocalPrincipal, { params: { id: owner.id } })
  expect((await admin.call(getReport, { params: { id: body.id } })).problem).toBe('ReportNotFound')
})

test('a report is seen and changed by its principal, and paused and deleted by administrators', async () => {
  const [owner, other] = [await ownerWith('computer.read'), await ownerWith('computer.read')]
  const name = nameOfReport()
  const { body } = await owner.call(createReport, { body: { name, kind: 'Software', format: 'Csv' } })
  const params = { id: body.id }
  const twin = await owner.call(createReport, { body: { name: name.toUpperCase(), kind: 'Software', format: 'Csv' } })
  expect(twin.problem).toBe('DuplicateReportName')
  expect((await other.call(getReport, { params })).problem).toBe('ReportNotFound')
  expect((await other.call(listReports)).body.items).toEqual([])
  expect((await other.call(runReport, { params })).problem).toBe('ReportNotFound')
  expect((await admin.call(listReports)).body.totalCount).toBe(1)
  expect((await admin.call(runReport, { params })).problem).toBe('ReportOfAnother')
  expect((await admin.call(updateReport, { params, body: { recipients: ['one@example.org'] } })).problem).toBe(
    'ReportOfAnother',
  )
  expect((await admin.call(updateReport, { params, body: { isPaused: true } })).body.isPaused).toBe(true)
  const continued = await owner.call(updateReport, { params, body: { isPaused: false, format: 'Pdf' } })
  expect(continued.body).toMatchObject({ isPaused: false, format: 'Pdf' })
  await owner.call(runReport, { params })
  expect((await owner.call(runReport, { params })).problem).toBe('ReportRunWaiting')
  expect((await admin.call(deleteReport, { params })).status).toBe(204)
})

test('a principal has a limited number of reports, and a report keeps a limited number of documents', async () => {
  const owner = await ownerWith('computer.read')
  const body = { kind: 'Software' as const, format: 'Csv' as const }
  const { body: report } = await owner.call(createReport, { body: { ...body, name: nameOfReport() } })
  for (let count = 1; count < 50; count++) await owner.call(createReport, { body: { ...body, name: nameOfReport() } })
  const refused = await owner.call(createReport, { body: { ...body, name: nameOfReport() } })
  expect(refused.problem).toBe('TooManyReports')

  for (let count = 0; count < 22; count++) await insertRun(db, report.id, new Date(Date.now() - 22 + count), false)
  await makeReports()
  await insertRun(db, report.id, new Date(), false)
  const { body: runs } = await owner.call(listReportRuns, { params: { id: report.id } })
  expect([runs.totalCount, runs.items.filter(({ hasFile }) => hasFile).length]).toEqual([20, 4])
})
