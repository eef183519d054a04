import type { Database } from '../../../database/connect.ts'
import { requireRole } from '../../../platform/authentication/authenticate.ts'
import type { Principal } from '../../../platform/authentication/principals.ts'
import { invalidPart } from '../../../platform/validation.ts'
import { findTimeZone } from '../../distribution/schedule.ts'
import { findMailServer, findRefusedRecipient } from '../../mail/mail-server.ts'
import { webhookNotFound } from '../../webhooks/api/problems.ts'
import type { ReportKind } from '../contents/index.ts'
import { rolesOfReport } from '../report-rights.ts'
import type { ReportSchedule } from '../schedule.ts'
import { recipientRefused } from './problems.ts'

type Checked = {
  kind: ReportKind
  webhookId: string | null
  recipients: readonly string[]
}

/** Throws if the principal may not make the report, or not send it there. */
export async function checkReport(db: Database, principal: Principal, { kind, webhookId, recipients }: Checked) {
  for (const role of rolesOfReport({ kind, webhookId })) requireRole(principal, role)
  if (webhookId !== null) {
    const webhook = await db.selectFrom('webhooks').select('id').where('id', '=', webhookId).executeTakeFirst()
    if (!webhook) throw webhookNotFound({ webhookId })
  }
  if (recipients.length === 0) return
  const server = await findMailServer(db)
  const refused = findRefusedRecipient(server ?? { recipientDomains: [] }, recipients)
  if (refused !== undefined) throw recipientRefused({ recipient: refused })
}

/** The schedule with the usual name of its time zone, and without what its frequency does not need. */
export function normaliseReportSchedule(schedule: ReportSchedule | null): ReportSchedule | null {
  if (schedule === null) return null
  const { frequency, time, weekday, dayOfMonth } = schedule
  if (frequency !== 'Weekly' && weekday != null)
    throw invalidPart('body', 'schedule.weekday', 'is only for weekly reports')
  if (frequency !== 'Monthly' && dayOfMonth != null)
    throw invalidPart('body', 'schedule.dayOfMonth', 'is only for monthly reports')
  return {
    frequency,
    time,
    timeZone: requireTimeZone(schedule.timeZone),
    ...(frequency === 'Weekly' && { weekday: weekday ?? 'Monday' }),
    ...(frequency === 'Monthly' && { dayOfMonth: dayOfMonth ?? 1 }),
  }
}

function requireTimeZone(name: string): string {
  const timeZone = findTimeZone(name)
  if (timeZone === undefined)
    throw invalidPart('body', 'schedule.timeZone', 'must be a time zone of the IANA database, such as Europe/Berlin')
  return timeZone
}
