import { sql } from 'kysely'
import type { Database } from '../../../database/connect.ts'
import { forbidden } from '../../../platform/general-problems.ts'
import { created, operation } from '../../../platform/operation.ts'
import { closed, Type } from '../../../platform/schema.ts'
import { groupNotFound, pinGroup } from '../../groups/groups.ts'
import { webhookNotFound } from '../../webhooks/api/problems.ts'
import { nextRunAfter } from '../schedule.ts'
import { checkReport, normaliseReportSchedule } from './check-report.ts'
import { getReport } from './get-report.ts'
import { duplicateReportName, recipientRefused, tooManyReports } from './problems.ts'
import { requireReport } from './require-report.ts'
import { Report, reportProperties } from './schemas.ts'

const { name, kind, format, groupId, schedule, webhookId, recipients } = reportProperties

/** Their documents fill the database. */
const maxReports = 50

async function requireRoom(db: Database, principalId: number): Promise<void> {
  const { count } = await db
    .selectFrom('reports')
    .select(sql<number>`count(*)::integer`.as('count'))
    .where('principal_id', '=', principalId)
    .executeTakeFirstOrThrow()
  if (count >= maxReports) throw tooManyReports({ maxReports })
}

export const createReport = operation({
  id: 'createReport',
  route: 'POST /api/reports',
  summary: 'Create a report',
  description:
    'The report is made with your roles: they are checked each time that it is made and sent, and the report is paused when one is missing. PatchCompliance also requires pm.read, a webhook admin.manage.',
  role: 'computer.read',
  extension: true,
  body: closed(
    {
      name,
      kind,
      format,
      groupId: Type.Optional(groupId),
      schedule: Type.Optional(schedule),
      webhookId: Type.Optional(webhookId),
      recipients: Type.Optional(recipients),
    },
    { title: 'CreateReportRequest' },
  ),
  returns: created(Report),
  problems: [duplicateReportName, recipientRefused, tooManyReports, groupNotFound, webhookNotFound, forbidden],
  shows: getReport,
  async handle({ body, db, caller }) {
    const { name, kind, format, groupId = null, webhookId = null, recipients = [] } = body
    await checkReport(db, caller.principal, { kind, webhookId, recipients })
    await requireRoom(db, caller.principal.id)
    if (groupId !== null) await pinGroup(db, groupId)
    const schedule = normaliseReportSchedule(body.schedule ?? null)
    const { id } = await db
      .insertInto('reports')
      .values({
        name,
        kind,
        format,
        group_id: groupId,
        schedule: schedule && sql<string>`${JSON.stringify(schedule)}::jsonb`,
        webhook_id: webhookId,
        recipients,
        principal_id: caller.principal.id,
        next_run_at: schedule && nextRunAfter(schedule, new Date()),
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    return requireReport(db, id, caller.principal)
  },
})
