import { sql } from 'kysely'
import type { Database } from '../../database/connect.ts'
import type { ServerKeys } from '../../platform/authentication/server-keys.ts'
import type { Configuration } from '../../platform/configuration.ts'
import { fleetScope } from '../groups/fleet-filter.ts'
import { findMailServer } from '../mail/mail-server.ts'
import { sendMail } from '../mail/send-mail.ts'
import { findWebhookUrl, postToWebhook } from '../webhooks/post-to-webhook.ts'
import { isDelivered } from '../webhooks/send-webhook.ts'
import { contents } from './contents/index.ts'
import { fileTypes, maxRowsOf, type ReportDocument } from './documents/document.ts'
import { writeDocument } from './documents/write-document.ts'
import { fileNameOf } from './file-name.ts'
import { rolesOfReport } from './report-rights.ts'
import {
  type ClaimedRun,
  claimRun,
  type DueReport,
  findDueReport,
  insertDueRuns,
  isAnythingDue,
  pauseReport,
  recordRunFailure,
  recordRunSuccess,
  recordSent,
  releaseRun,
  storeDocument,
} from './run-claims.ts'

export type ReportParts = {
  db: Database
  keys: ServerKeys
  settings: Pick<Configuration, 'webhookPrivateHosts' | 'publicUrl'>
}

/** Makes and sends what is due, one report after the other. Several nodes share the reports. */
export async function makeDueReports(parts: ReportParts, signal: AbortSignal): Promise<undefined> {
  if (!(await isAnythingDue(parts.db))) return undefined
  await insertDueRuns(parts.db)
  while (!signal.aborted) {
    const run = await claimRun(parts.db)
    if (!run) return undefined
    await makeReport(parts, run, signal)
  }
  return undefined
}

async function makeReport(parts: ReportParts, run: ClaimedRun, signal: AbortSignal): Promise<void> {
  const { db } = parts
  try {
    const outcome = await carryOut(parts, run, signal)
    if (signal.aborted && outcome !== 'Done') return releaseRun(db, run)
    if (outcome === 'Done') return recordRunSuccess(db, run)
    if (outcome !== 'Gone') await recordRunFailure(db, run, outcome.error, outcome.isFinal)
  } catch (error) {
    if (signal.aborted) return releaseRun(db, run)
    await recordRunFailure(db, run, 'The report could not be made because of an error in the service. See its log.')
    throw error
  }
}

type Outcome = 'Done' | 'Gone' | { error: string; isFinal?: boolean }

async function carryOut(parts: ReportParts, run: ClaimedRun, signal: AbortSignal): Promise<Outcome> {
  const { db } = parts
  const first = await findReport(parts, run)
  if ('outcome' in first) return first.outcome
  if (first.report.content === null) await storeDocument(db, run, await make(db, first.report))
  // Again before each way of sending: to make and to send takes minutes, and rights may change.
  for (const way of [post, mail]) {
    const { report, outcome } = { outcome: undefined, report: undefined, ...(await findReport(parts, run)) }
    if (!report) return outcome ?? 'Gone'
    const error = await way(parts, run, report, signal)
    if (error !== null) return { error }
  }
  return 'Done'
}

/** The report, if its principal may still have it. Otherwise its schedule ends. */
async function findReport({ db }: ReportParts, run: ClaimedRun): Promise<{ report: DueReport } | { outcome: Outcome }> {
  const report = await findDueReport(db, run)
  if (!report) return { outcome: 'Gone' }
  const missing = report.roles && rolesOfReport(report).find((role) => !report.roles?.includes(role))
  if (report.roles && missing === undefined) return { report }
  const error =
    missing == null
      ? 'The principal of the report was revoked or has expired.'
      : `The principal of the report no longer has the role ${missing}.`
  await pauseReport(db, run, error)
  return { outcome: { error, isFinal: true } }
}

async function make(db: Database, report: DueReport) {
  const { title, read } = contents[report.kind]
  const tables = await db
    .transaction()
    .setIsolationLevel('repeatable read')
    .execute(async (tx) => {
      await sql`select set_config('statement_timeout', '5min', true), set_config('jit', 'off', true)`.execute(tx)
      const computers = await fleetScope(tx, { ...(report.groupId !== null && { groupId: report.groupId }) })
      return read(tx, { groupId: report.groupId, computers }, maxRowsOf[report.format])
    })
  const document: ReportDocument = {
    title: report.name,
    facts: [title, `Computers: ${report.groupPath ?? 'all'}`, `Made at ${new Date().toISOString()}`],
    tables,
  }
  const listed = tables.filter(({ isSummary }) => !isSummary)
  return {
    format: report.format,
    content: await writeDocument(document, report.format),
    rows: listed.reduce((sum, { rows }) => sum + rows.length, 0),
    totalRows: listed.reduce((sum, { total }) => sum + total, 0),
  }
}

const isCut = ({ rows, totalRows }: DueReport) => (totalRows ?? 0) > (rows ?? 0)

/** Larger documents are not posted: receivers of webhooks expect small messages. */
const maxPostedBytes = 1024 * 1024

/** Posts the document to the webhook that an administrator has named for it. Returns why that failed. */
async function post(
  parts: ReportParts,
  run: ClaimedRun,
  report: DueReport,
  signal: AbortSignal,
): Promise<string | null> {
  if (report.webhookId === null || report.isPosted) return null
  const url = await findWebhookUrl(parts.db, report.webhookId)
  if (url === undefined) return 'The webhook of the report is paused.'
  const file = `/api/reports/${report.id}/runs/${run.id}/file`
  const content = report.content ?? Buffer.alloc(0)
  const notice = {
    type: 'muster.report.made',
    subject: `/api/reports/${report.id}`,
    data: {
      reportId: report.id,
      runId: run.id,
      name: report.name,
      kind: report.kind,
      format: report.format,
      rows: report.rows,
      isComplete: !isCut(report),
      file: `${parts.settings.publicUrl ?? ''}${file}`,
      document:
        content.length > maxPostedBytes
          ? null
          : {
              fileName: fileNameOf(report),
              contentType: fileTypes[report.format].contentType,
              base64: content.toString('base64'),
            },
    },
  }
  const outcome = await postToWebhook(parts, { id: report.webhookId, url }, `report-${run.id}`, notice, signal)
  if (!isDelivered(outcome)) return `The webhook was not called: ${outcome.error}`
  await recordSent(parts.db, run, 'posted_at')
  return null
}

/** Larger documents are not sent: mail servers refuse them. */
const maxAttachmentBytes = 10 * 1024 * 1024

/** Mails the document. Returns why that failed. */
async function mail(
  parts: ReportParts,
  run: ClaimedRun,
  report: DueReport,
  signal: AbortSignal,
): Promise<string | null> {
  if (report.recipients.length === 0 || report.isMailed) return null
  const server = await findMailServer(parts.db)
  if (!server) return 'No mail server is set.'
  const content = report.content ?? Buffer.alloc(0)
  const isAttached = content.length <= maxAttachmentBytes
  const page = `${parts.settings.publicUrl ?? ''}/reports/${report.id}`
  const lines = [
    `${contents[report.kind].title}: ${report.name}`,
    `Computers: ${report.groupPath ?? 'all'}`,
    ...(isCut(report) ? [`The report lists ${report.rows} of ${report.totalRows} rows.`] : []),
    isAttached ? 'The report is attached.' : `The report is too large for a mail. Sign in to download it: ${page}`,
  ]
  const error = await sendMail(
    server,
    parts.keys,
    {
      recipients: report.recipients,
      subject: `Report: ${report.name}`,
      text: `${lines.join('\n')}\n`,
      id: `report-${run.id}`,
      ...(isAttached && {
        attachment: { fileName: fileNameOf(report), contentType: fileTypes[report.format].contentType, content },
      }),
    },
    signal,
  )
  if (error === null) await recordSent(parts.db, run, 'mailed_at')
  return error
}
