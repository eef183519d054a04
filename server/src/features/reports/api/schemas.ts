import { closed, enumOf, Id, Instant, Int32, nameText, nullable, Type, text, Uuid } from '../../../platform/schema.ts'
import { groupPath } from '../../groups/group-path.ts'
import { mailAddress } from '../../mail/api/schemas.ts'
import { reportKinds } from '../contents/index.ts'
import { maxRowsOf, reportFormats } from '../documents/document.ts'
import { runStates } from '../report-rows.ts'
import { frequencies, weekdayNames } from '../schedule.ts'

export const ReportPath = closed({ id: Uuid })
export const RunPath = closed({ id: Uuid, runId: Uuid })

const Schedule = closed(
  {
    frequency: enumOf(frequencies, { title: 'ReportFrequency' }),
    time: Type.String({
      pattern: '^([01][0-9]|2[0-3]):[0-5][0-9]$',
      examples: ['06:30'],
      description: 'Hours and minutes',
    }),
    timeZone: text(100, 'Europe/Berlin', 'Time zone of the time'),
    weekday: Type.Optional(nullable(enumOf(weekdayNames, { description: 'Of a weekly report. Default: Monday' }))),
    dayOfMonth: Type.Optional(
      nullable(
        Type.Integer({ minimum: 1, maximum: 28, examples: [1], description: 'Of a monthly report. Default: 1' }),
      ),
    ),
  },
  { title: 'ReportSchedule', description: 'When the report is made; null: only on request' },
)

const Webhook = {
  ...Uuid,
  description: 'A webhook that is called with the document (up to 1 MB) and its address. Requires admin.manage',
}

export const reportProperties = {
  name: nameText(255, 'Missing patches of Berlin'),
  kind: enumOf(reportKinds, {
    title: 'ReportKind',
    description:
      'Issues: open issues with their computers. PatchCompliance: by group, severity and deadline, and the missing patches with their ages. Software: versions with the number of their computers. Licences: what is owned and what is installed',
  }),
  format: enumOf(reportFormats, {
    title: 'ReportFormat',
    description: `A table has ${maxRowsOf.Csv} rows in Csv and ${maxRowsOf.Pdf} in Pdf at most; the document says if it has fewer than there are`,
  }),
  groupId: nullable({ ...Uuid, description: 'Only computers of this group and of the groups below it' }),
  schedule: nullable(Schedule),
  webhookId: nullable(Webhook),
  recipients: Type.Array(mailAddress('Who gets the document by mail'), { maxItems: 20, uniqueItems: true }),
}

/** The properties that a change may replace. For the schedule and the webhook, null removes them. */
export const changeableProperties = {
  name: reportProperties.name,
  format: reportProperties.format,
  schedule: Schedule,
  webhookId: Webhook,
  recipients: reportProperties.recipients,
}

export const Report = closed(
  {
    id: Uuid,
    ...reportProperties,
    groupPath: nullable(groupPath('Names of the group and of its ancestors')),
    principalId: { ...Id, description: 'Who created the report. Its roles decide whether it is made.' },
    isPaused: Type.Boolean({ examples: [false] }),
    pauseReason: nullable(
      Type.String({
        examples: ['The principal of the report no longer has the role pm.read.'],
        description: 'Set if the service paused it',
      }),
    ),
    nextRunAtUtc: nullable(Instant),
    createdAtUtc: Instant,
  },
  { title: 'Report' },
)

export const ReportRun = closed(
  {
    id: Uuid,
    reportId: Uuid,
    isRequested: Type.Boolean({ examples: [false], description: 'A person asked for it' }),
    dueAtUtc: Instant,
    state: enumOf(runStates, { title: 'ReportRunState' }),
    attempts: { ...Int32, minimum: 0, examples: [1] },
    nextAttemptAtUtc: nullable(Instant),
    rows: nullable({ ...Int32, minimum: 0, examples: [120], description: 'The rows of the document' }),
    totalRows: nullable({
      ...Int32,
      minimum: 0,
      examples: [120],
      description: 'The rows without the limit of the format',
    }),
    postedAtUtc: nullable(Instant),
    mailedAtUtc: nullable(Instant),
    error: nullable(Type.String({ examples: ['No mail server is set.'], description: 'Why the last attempt failed' })),
    endedAtUtc: nullable(Instant),
    hasFile: Type.Boolean({ examples: [true], description: 'The document can be downloaded' }),
  },
  { title: 'ReportRun' },
)
