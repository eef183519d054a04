import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { deleteMailServer } from '../../src/features/mail/api/delete-mail-server.ts'
import { setMailServer } from '../../src/features/mail/api/set-mail-server.ts'
import { createReport } from '../../src/features/reports/api/create-report.ts'
import { getReport } from '../../src/features/reports/api/get-report.ts'
import { listReportRuns } from '../../src/features/reports/api/list-report-runs.ts'
import { runReport } from '../../src/features/reports/api/run-report.ts'
import { updateReport } from '../../src/features/reports/api/update-report.ts'
import { claimRun } from '../../src/features/reports/run-claims.ts'
import { createWebhook } from '../../src/features/webhooks/api/create-webhook.ts'
import { openReportWorld } from './report-world.ts'

const { admin, contentOf, db, hook, lastRun, makeReports, nameOfReport, reader, receiver } = await openReportWorld()

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
    envelope: { from: 'muster@example.org', to: ['one@example.org', 'two@example.org'] },
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

test('a webhook is called with the document and its address, signed, and only for administrators', async () => {
  const { body: webhook } = await admin.call(createWebhook, {
    body: { name: nameOfReport(), url: hook.url },
  })
  const body = { name: nameOfReport(), kind: 'Software' as const, format: 'Csv' as const, webhookId: webhook.id }
  expect((await reader.call(createReport, { body })).problem).toBe('Forbidden')
  const { body: report } = await admin.call(createReport, { body })
  await admin.call(runReport, { params: { id: report.id } })
  await makeReports()

  const run = await lastRun(report.id, admin)
  expect(run).toMatchObject({ state: 'Succeeded', postedAtUtc: expect.any(String) })
  expect(hook.posted).toHaveLength(1)
  expect(hook.posted[0]?.headers).toMatchObject({
    'webhook-id': `report-${run?.id}`,
    'webhook-signature': expect.stringMatching(/^v1,/),
  })
  expect(hook.posted[0]?.event).toMatchObject({
    type: 'muster.report.made',
    data: { reportId: report.id, isComplete: true, file: `/api/reports/${report.id}/runs/${run?.id}/file` },
  })
  const document = hook.posted[0]?.event.data.document as Record<string, string>
  expect(document).toMatchObject({
    fileName: expect.stringMatching(/^report-\d+\.csv$/),
    contentType: expect.stringContaining('text/csv'),
  })
  expect(Buffer.from(document.base64 ?? '', 'base64').toString()).toBe(await contentOf(report.id, run?.id, admin))
  const without = await admin.call(updateReport, { params: { id: report.id }, body: { webhookId: null } })
  expect(without.body.webhookId).toBeNull()
})

test('a document of more than 1 MB is not posted, but its address is', async () => {
  const { body: webhook } = await admin.call(createWebhook, { body: { name: nameOfReport(), url: hook.url } })
  const body = { name: nameOfReport(), kind: 'Software' as const, format: 'Csv' as const, webhookId: webhook.id }
  const { body: report } = await admin.call(createReport, { body })
  const sizes = [1024 * 1024, 1024 * 1024 + 1]
  for (const size of sizes) {
    const { body: run } = await admin.call(runReport, { params: { id: report.id } })
    // As when the service ended after it had made the document.
    const file = { run_id: run.id, format: 'Csv', content: Buffer.alloc(size, 'a') }
    await db.insertInto('report_files').values(file).execute()
    await makeReports()
  }

  const posted = hook.posted.map(({ event }) => event.data.document as { base64: string } | null)
  expect(posted.map((document) => document && Buffer.from(document.base64, 'base64').length)).toEqual([sizes[0], null])
  expect(hook.posted[1]?.event.data.file).toEqual(expect.stringContaining('/file'))
})

test('what fails is tried again later, and what was sent is not sent again', async () => {
  const { body: webhook } = await admin.call(createWebhook, {
    body: { name: nameOfReport(), url: hook.url },
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
  expect([hook.posted.length, receiver.received.length]).toEqual([1, 1])

  await admin.call(runReport, { params: { id: report.id } })
  await sql`update report_runs set attempts = 11 where state = 'Waiting'`.execute(db)
  hook.answers.status = 500
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
  const none = await reader.call(updateReport, { params: { id: body.id }, body: { schedule: null } })
  expect(none.body).toMatchObject({ schedule: null, nextRunAtUtc: null })
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
