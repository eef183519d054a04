import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { sql } from 'kysely'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { createLicence } from '../../src/features/licences/api/create-licence.ts'
import { deleteMailServer } from '../../src/features/mail/api/delete-mail-server.ts'
import { setMailServer } from '../../src/features/mail/api/set-mail-server.ts'
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
import { makeDueReports } from '../../src/features/reports/make-reports.ts'
import { claimRun } from '../../src/features/reports/run-claims.ts'
import { createWebhook } from '../../src/features/webhooks/api/create-webhook.ts'
import { parseDownloadHost } from '../../src/platform/downloads/download-hosts.ts'
import { openMailReceiver } from '../mail/mail-receiver.ts'
import { openWorld } from '../world/open-world.ts'

const posted: { headers: IncomingHttpHeaders; event: { type: string; data: Record<string, unknown> } }[] = []
let answer = 204
const hook = createServer(async (request, response) => {
  let body = ''
  for await (const part of request) body += part
  posted.push({ headers: request.headers, event: JSON.parse(body) })
  response.writeHead(answer).end()
})
await new Promise<void>((resolve) => hook.listen(0, '127.0.0.1', resolve))
afterAll(() => hook.close())
const { port } = hook.address() as AddressInfo

const { app, as, db, given, withToken } = await openWorld({
  configuration: { webhookPrivateHosts: [parseDownloadHost('', `127.0.0.1:${port}`, true)] },
})
const receiver = await openMailReceiver()
const admin = as('admin.manage', 'computer.read', 'package.write')
const reader = as('computer.read')
const parts = { db, keys: app.services.keys, settings: app.services.configuration }
const makeReports = (signal = new AbortController().signal) => makeDueReports(parts, signal)

async function ownerWith(...roles: ('computer.read' | 'pm.read')[]) {
  const { id } = await given.localPrincipal({ roles })
  return { id, ...withToken(await app.services.tokens.issue(id)) }
}

let number = 0
const nameOfReport = () => `report ${number++}`

beforeEach(async () => {
  await sql`delete from reports`.execute(db)
  posted.length = 0
  receiver.received.length = 0
  answer = 204
  await admin.call(setMailServer, { body: receiver.settings })
})

async function install(computer: { id: number }, name: string, version: string | null = null) {
  await sql`
    with product as (
      insert into software_products (name, version) values (${name}, ${version})
      on conflict (name, version, publisher) do update set name = excluded.name returning id
    )
    insert into installed_software (computer_id, product_id) select ${computer.id}, id from product`.execute(db)
}

const lastRun = async (id: string, caller = reader) =>
  (await caller.call(listReportRuns, { params: { id } })).body.items[0]

async function contentOf(id: string, runId: string | undefined, caller = reader): Promise<string> {
  const answer = await caller.call(getReportFile, { params: { id, runId: runId ?? '' } })
  expect(answer.status).toBe(200)
  return String(answer.raw)
}

const group = await given.group({ tree: 'AssignmentGroups', name: 'Reported' })
const below = await given.group({ parent: group, name: 'Below' })
const inside = await given.computer({ name: '=cmd|calc' })
const outside = await given.computer({ name: 'outside' })
await given.member(below, inside)
await install(inside, 'Draw 1', '1.0')
await install(outside, 'Draw 1', '1.0')
await install(outside, 'Draw 2', '2.0')
await sql`
  insert into disk_drives (computer_id, position, volume, drive_type_code, total_space_gb, free_space_gb)
  values (${inside.id}, 0, 'C:', 3, 100, 1), (${outside.id}, 0, 'C:', 3, 100, 2)`.execute(db)

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

test('a report is mailed with its document, over TLS and as the user of the mail server', async () => {
  const { body } = await reader.call(createReport, {
    body: {
      name: 'Überblick "heute"',
      kind: 'Software',
      format: 'Csv',
      recipients: ['one@example.org', 'two@EXAMPLE.org'],
    },
  })
  await reader.call(runReport, { params: { id: body.id } })
  await makeReports()

  const run = await lastRun(body.id)
  expect(run).toMatchObject({ state: 'Succeeded', mailedAtUtc: expect.any(String), postedAtUtc: null })
  const [mail] = receiver.received
  expect(receiver.received).toHaveLength(1)
  expect(mail).toMatchObject({
    isSecure: true,
    user: 'muster',
    envelope: { from: 'muster@example.org', to: ['one@example.org', 'two@EXAMPLE.org'] },
    subject: 'Report: Überblick "heute"',
    messageId: `<report-${run?.id}@example.org>`,
  })
  const [attachment] = mail?.attachments ?? []
  expect(attachment).toMatchObject({ filename: 'U-berblick-heute.csv', mimeType: 'text/csv' })
  const content = Buffer.from(attachment?.content as ArrayBuffer).toString()
  expect(content).toBe(await contentOf(body.id, run?.id))
})

test('recipients are plain addresses in the domains that administrators list, at creation and when it is sent', async () => {
  const create = (recipients: string[]) =>
    reader.call(createReport, { body: { name: nameOfReport(), kind: 'Software', format: 'Csv', recipients } })
  expect((await create(['one@elsewhere.example'])).problem).toBe('RecipientRefused')
  expect((await create(['one@example.org\r\nBcc: two@example.org'])).status).toBe(400)
  expect((await create(['one@example.org, two@elsewhere.example'])).status).toBe(400)
  expect((await create(Array.from({ length: 21 }, (_, at) => `p${at}@example.org`))).status).toBe(400)
  const { body } = await create(['one@example.org'])
  await admin.call(setMailServer, { body: { ...receiver.settings, recipientDomains: ['other.example'] } })
  await reader.call(runReport, { params: { id: body.id } })
  await makeReports()
  expect(await lastRun(body.id)).toMatchObject({ state: 'Waiting', error: expect.stringContaining('one@example.org') })
  expect(receiver.received).toEqual([])
  await admin.call(deleteMailServer)
  expect((await create(['one@example.org'])).problem).toBe('RecipientRefused')
})

test('a webhook is called with the address of the document, signed, and only for administrators', async () => {
  const { body: webhook } = await admin.call(createWebhook, {
    body: { name: nameOfReport(), url: `http://127.0.0.1:${port}/hook` },
  })
  const body = { name: nameOfReport(), kind: 'Software' as const, format: 'Csv' as const, webhookId: webhook.id }
  expect((await reader.call(createReport, { body })).problem).toBe('Forbidden')
  const { body: report } = await admin.call(createReport, { body })
  await admin.call(runReport, { params: { id: report.id } })
  await makeReports()

  const run = await lastRun(report.id, admin)
  expect(run).toMatchObject({ state: 'Succeeded', postedAtUtc: expect.any(String) })
  expect(posted).toHaveLength(1)
  expect(posted[0]?.headers).toMatchObject({
    'webhook-id': `report-${run?.id}`,
    'webhook-signature': expect.stringMatching(/^v1,/),
  })
  expect(posted[0]?.event).toMatchObject({
    type: 'muster.report.made',
    data: { reportId: report.id, isComplete: true, file: `/api/reports/${report.id}/runs/${run?.id}/file` },
  })
})

test('what fails is tried again later, and what was sent is not sent again', async () => {
  const { body: webhook } = await admin.call(createWebhook, {
    body: { name: nameOfReport(), url: `http://127.0.0.1:${port}/hook` },
  })
  const { body: report } = await admin.call(createReport, {
    body: {
      name: nameOfReport(),
      kind: 'Software',
      format: 'Csv',
      webhookId: webhook.id,
      recipients: ['one@example.org'],
    },
  })
  receiver.refuse('4.2.1 Not now')
  await admin.call(runReport, { params: { id: report.id } })
  await makeReports()
  expect(await lastRun(report.id, admin)).toMatchObject({
    state: 'Waiting',
    attempts: 1,
    postedAtUtc: expect.any(String),
    mailedAtUtc: null,
    error: expect.stringContaining('The mail could not be sent'),
  })
  await makeReports()
  expect(receiver.received).toEqual([])
  await sql`update report_runs set next_attempt_at = now()`.execute(db)
  await makeReports()
  expect(await lastRun(report.id, admin)).toMatchObject({ state: 'Succeeded', attempts: 2, error: null })
  expect([posted.length, receiver.received.length]).toEqual([1, 1])

  await admin.call(runReport, { params: { id: report.id } })
  await sql`update report_runs set attempts = 11 where state = 'Waiting'`.execute(db)
  answer = 500
  await makeReports()
  const failed = await lastRun(report.id, admin)
  expect(failed).toMatchObject({ state: 'Failed', error: 'The webhook was not called: The receiver answered 500.' })
})

test('a report is made at its time in its time zone, and once for all that was missed', async () => {
  const schedule = {
    frequency: 'Weekly' as const,
    time: '06:30',
    timeZone: 'Europe/Berlin',
    weekday: 'Monday' as const,
  }
  const { body } = await reader.call(createReport, {
    body: { name: nameOfReport(), kind: 'Software', format: 'Csv', schedule },
  })
  const inBerlin = new Intl.DateTimeFormat('en-GB', {
    timeZone: 'Europe/Berlin',
    weekday: 'long',
    hour: '2-digit',
    minute: '2-digit',
  })
  expect(inBerlin.format(new Date(body.nextRunAtUtc ?? ''))).toMatch(/^Monday.*06:30$/)
  await makeReports()
  expect(await lastRun(body.id)).toBeUndefined()

  await sql`update reports set next_run_at = now() - interval '22 days'`.execute(db)
  await Promise.all([makeReports(), makeReports()])
  await makeReports()
  const { body: runs } = await reader.call(listReportRuns, { params: { id: body.id } })
  expect(runs.items).toMatchObject([{ state: 'Succeeded', isRequested: false, attempts: 1 }])
  const { body: after } = await reader.call(getReport, { params: { id: body.id } })
  expect(after.nextRunAtUtc).toBe(body.nextRunAtUtc)

  const change = (changed: object) =>
    reader.call(updateReport, { params: { id: body.id }, body: { schedule: { ...schedule, ...changed } } })
  expect((await change({ timeZone: 'Europe/Nowhere' })).status).toBe(400)
  expect((await change({ dayOfMonth: 3 })).status).toBe(400)
  expect((await change({ time: '24:00' })).status).toBe(400)
  const monthly = await reader.call(updateReport, {
    params: { id: body.id },
    body: { schedule: { frequency: 'Monthly', time: '00:00', timeZone: 'UTC', dayOfMonth: 28 } },
  })
  expect(monthly.body.nextRunAtUtc).toMatch(/-28T00:00:00/)
  const none = await reader.call(updateReport, { params: { id: body.id }, body: { schedule: null } as never })
  expect(none.body).toMatchObject({ schedule: null, nextRunAtUtc: null })
})

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

test('a run whose node has ended is taken over once its claim ends, and sends what was not sent', async () => {
  const { body } = await reader.call(createReport, {
    body: { name: nameOfReport(), kind: 'Software', format: 'Csv', recipients: ['one@example.org'] },
  })
  await reader.call(runReport, { params: { id: body.id } })
  expect(await claimRun(db)).toMatchObject({ attempts: 1 })
  await makeReports()
  expect(receiver.received).toEqual([])
  await sql`update report_runs set claimed_until = now() - interval '1 second'`.execute(db)
  await makeReports()
  await makeReports()
  expect(receiver.received).toHaveLength(1)
  expect(await lastRun(body.id)).toMatchObject({ state: 'Succeeded', attempts: 2 })
})

test('a node that stops gives its run back', async () => {
  const { body } = await reader.call(createReport, { body: { name: nameOfReport(), kind: 'Software', format: 'Csv' } })
  await reader.call(runReport, { params: { id: body.id } })
  await makeReports(AbortSignal.abort())
  expect(await lastRun(body.id)).toMatchObject({ state: 'Waiting', attempts: 0 })
  await makeReports()
  expect(await lastRun(body.id)).toMatchObject({ state: 'Succeeded', attempts: 1 })
})
