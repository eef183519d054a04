import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { refreshFleetStatistics } from '../../src/features/issues/fleet-statistics.ts'
import { createLicence } from '../../src/features/licences/api/create-licence.ts'
import { createReport } from '../../src/features/reports/api/create-report.ts'
import { getReportFile } from '../../src/features/reports/api/get-report-file.ts'
import { runReport } from '../../src/features/reports/api/run-report.ts'
import { openReportWorld } from './report-world.ts'

const {
  admin,
  below,
  contentOf,
  db,
  given,
  group,
  inside,
  install,
  lastRun,
  makeReports,
  nameOfReport,
  ownerWith,
  reader,
} = await openReportWorld()

test('a requested report of issues has the computers of its group, and no formula', async () => {
  const { body } = await reader.call(createReport, {
    body: { name: nameOfReport(), kind: 'Issues', format: 'Csv', groupId: group.id },
  })
  const { status } = await reader.call(runReport, { params: { id: body.id } })
  expect(status).toBe(202)
  await makeReports()

  const run = await lastRun(body.id)
  expect(run).toMatchObject({ state: 'Succeeded', isRequested: true, attempts: 1, error: null, hasFile: true })
  const text = await contentOf(body.id, run?.id)
  expect(text).toMatch(/^\uFEFFissue,severity,group,hostname,domain,occurrences,detail,lastSeenUtc\r\n/)
  const disks = text.split('\r\n').filter((line) => line.startsWith('low-disk'))
  expect(disks).toEqual([expect.stringContaining(",'=cmd|calc,")])
  expect(text).not.toContain('outside')
})

test('a report of software counts the computers of each version', async () => {
  const { body } = await reader.call(createReport, { body: { name: nameOfReport(), kind: 'Software', format: 'Csv' } })
  await reader.call(runReport, { params: { id: body.id } })
  await makeReports()
  const text = await contentOf(body.id, (await lastRun(body.id))?.id)
  expect(text).toBe('\uFEFFproduct,publisher,version,computers\r\nDraw 1,,1.0,2\r\nDraw 2,,2.0,1\r\n')
})

test('a report of licences compares what is owned with what is installed', async () => {
  await admin.call(createLicence, { body: { name: 'Drawing', productPattern: 'draw*', owned: 1 } })
  await admin.call(createLicence, { body: { name: 'Other', productPattern: 'Other', owned: 3 } })
  const { body } = await reader.call(createReport, { body: { name: nameOfReport(), kind: 'Licences', format: 'Csv' } })
  await reader.call(runReport, { params: { id: body.id } })
  await makeReports()
  const [, ...lines] = (await contentOf(body.id, (await lastRun(body.id))?.id)).trim().split('\r\n')
  expect(lines).toEqual(['Drawing,draw*,1,2,-1,Exceeded', 'Other,Other,3,0,3,Within'])
})

test('a report of patch compliance has groups, severities and missing patches with their ages', async () => {
  const owner = await ownerWith('computer.read', 'pm.read')
  const product = await given.product()
  const released = new Date(Date.now() - 10 * 86_400_000).toISOString().slice(0, 10)
  const patch = await given.patch({ products: [product], vendor_severity: 'Critical', release_date: released })
  await given.patchScan(inside, [{ key: patch.key, product: product.name, status: 'Missing' }])
  await refreshFleetStatistics(db)
  const { body } = await owner.call(createReport, {
    body: { name: nameOfReport(), kind: 'PatchCompliance', format: 'Csv', groupId: group.id },
  })
  await owner.call(runReport, { params: { id: body.id } })
  await makeReports()
  const text = await contentOf(body.id, (await lastRun(body.id, owner))?.id, owner)
  expect(text).toContain(`By group,${group.path},1,`)
  expect(text).toContain(`By group,${below.path},1,`)
  expect(text).toContain('By severity of the worst missing patch')
  const missing = text.split('\r\n').find((line) => line.startsWith('Missing patches,'))
  expect(missing).toMatch(/,Critical,/)
  expect(missing).toContain(`,${released},10`)
})

test('a PDF has pages, and is made of hostile texts as well', async () => {
  const hostile = await given.computer({ name: 'PC-\u202Eevil' })
  await install(hostile, `<script>(Straße) ${'x'.repeat(400)} Привет`)
  for (let count = 0; count < 120; count++) await install(hostile, `Product ${count}`)
  const { body } = await reader.call(createReport, { body: { name: 'Straße (a) \\', kind: 'Software', format: 'Pdf' } })
  await reader.call(runReport, { params: { id: body.id } })
  await makeReports()
  await sql`delete from installed_software where computer_id = ${hostile.id}`.execute(db)

  const run = await lastRun(body.id)
  expect(run).toMatchObject({ state: 'Succeeded', error: null })
  const answer = await reader.call(getReportFile, { params: { id: body.id, runId: run?.id ?? '' } })
  expect(answer.headers['content-disposition']).toBe('attachment; filename="Stra-e-a.pdf"')
  const text = String(answer.raw)
  expect(text.startsWith('%PDF-1.')).toBe(true)
  expect(text.match(/\/Type \/Page\b/g)?.length).toBeGreaterThan(2)
})
