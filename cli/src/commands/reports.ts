import { answerOf, type components } from '@muster/client'
import { type Call, changeQuery, command, dryRunOption } from '../command.ts'
import { UsageError } from '../errors.ts'
import { findGroup } from '../names/groups.ts'
import { findReport, type Report } from '../names/reports.ts'
import { findWebhook } from '../names/webhooks.ts'
import { parseCount } from '../numbers.ts'
import type { Column } from '../output/output.ts'
import { formatTime, timeOf } from '../output/times.ts'
import { reportArgument, reportRuns } from './report-runs.ts'

type Schedule = components['schemas']['ReportSchedule']
type Kind = Report['kind']

const kinds: Record<string, Kind> = {
  issues: 'Issues',
  patches: 'PatchCompliance',
  software: 'Software',
  licences: 'Licences',
}
const weekdays = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'] as const

const describeSchedule = (schedule: Schedule | null) => {
  if (!schedule) return 'on request'
  const { frequency, time, timeZone, weekday, dayOfMonth } = schedule
  return [frequency.toLowerCase(), weekday, dayOfMonth && `day ${dayOfMonth}`, time, timeZone].filter(Boolean).join(' ')
}

const columns: readonly Column<Report>[] = [
  ['name', ({ name }) => name],
  ['kind', ({ kind }) => kind],
  ['format', ({ format }) => format],
  ['group', ({ groupPath }) => groupPath],
  ['schedule', ({ schedule }) => describeSchedule(schedule)],
  ['next', ({ nextRunAtUtc, isPaused }) => (isPaused ? 'paused' : timeOf(nextRunAtUtc))],
  ['reason', ({ pauseReason }) => pauseReason],
]

const formatOption = ['--format <format>', 'csv or pdf; csv by default', ['csv', 'pdf']] as const
const deliveryOptions = [
  ['--mail <addresses...>', 'Who gets it by mail'],
  ['--webhook <name>', 'A webhook that gets it', 'webhook'],
] as const
const scheduleOptions = [
  ['--daily <time>', 'At this time each day, such as 06:30'],
  ['--weekly <day>', 'On this day of the week, with --at', weekdays],
  ['--monthly <day>', 'On this day of the month, 1 to 28, with --at'],
  ['--at <time>', 'Hours and minutes, such as 06:30'],
  ['--time-zone <name>', 'Time zone of the time; that of this computer by default'],
] as const

const list = command({
  name: 'reports list',
  summary: 'List your reports',
  description: 'Administrators see those of all principals.',
  examples: [['muster reports list', 'What is made when']],
  operations: ['listReports'],
  async run({ client, output }) {
    await output.rows(columns, client.pages('/api/reports', { query: { top: 1_000 } }))
  },
})

const show = command({
  name: 'reports show',
  summary: 'Show a report',
  arguments: [reportArgument],
  examples: [['muster reports show "Software of Berlin"', 'Its schedule, and where it is sent']],
  operations: ['listReports'],
  async run({ args, client, output }) {
    const report = await findReport(client, args[0] ?? '')
    output.object(report, [
      ['Name', report.name],
      ['Id', report.id],
      ['Kind', report.kind],
      ['Format', report.format],
      ['Group', report.groupPath ?? 'all computers'],
      ['Schedule', describeSchedule(report.schedule)],
      ['Next run', report.nextRunAtUtc && formatTime(report.nextRunAtUtc)],
      ['Mailed to', report.recipients.join(' ') || undefined],
      ['Webhook', report.webhookId],
      ['Principal', report.principalId],
      ['Paused', report.isPaused ? (report.pauseReason ?? 'yes') : 'no'],
    ])
  },
})

const create = command({
  name: 'reports create',
  summary: 'Create a report',
  description:
    'It is made with your roles, which are checked each time. Without a schedule, it is made by `muster reports run` only. A webhook requires the role admin.manage, and patches require pm.read.',
  arguments: [
    ['<name>', 'Name of the new report'],
    ['<kind>', 'issues, patches, software or licences', Object.keys(kinds)],
  ],
  options: [
    ['--group <path>', 'Only computers of this group and of those below it', 'group'],
    formatOption,
    ...scheduleOptions,
    ...deliveryOptions,
    dryRunOption,
  ],
  examples: [
    [
      'muster reports create "Patches of Berlin" patches --group Office/Berlin --format pdf --weekly Monday --at 06:30 --mail it@example.org',
      'Each Monday by mail',
    ],
    ['muster reports create Software software', 'On request'],
  ],
  operations: ['createReport', 'listGroupTree', 'listWebhooks'],
  async run({ args: [name = '', word = ''], client, options, output }) {
    const kind = kinds[word]
    if (!kind) throw new UsageError(`Choose one of ${Object.keys(kinds).join(', ')}.`)
    const schedule = readSchedule(options)
    const group = options.group === undefined ? undefined : await findGroup(client, String(options.group))
    const answer = await answerOf(
      client.POST('/api/reports', {
        params: { query: changeQuery(options) },
        body: {
          name,
          kind,
          format: readFormat(options) ?? 'Csv',
          ...(group && { groupId: group.id }),
          ...(schedule && { schedule }),
          ...(await readDelivery(client, options)),
        },
      }),
    )
    output.result(answer, `The report ${name} ${options.dryRun ? 'would be' : 'is'} created.`)
  },
})

const update = command({
  name: 'reports update',
  summary: 'Change, pause or continue a report',
  arguments: [reportArgument],
  options: [
    ['--name <name>', 'Its new name'],
    formatOption,
    ...scheduleOptions,
    ['--no-schedule', 'Only on request'],
    ...deliveryOptions,
    ['--no-mail', 'Send it to nobody'],
    ['--no-webhook', 'Call no webhook'],
    ['--pause', 'Do not make it until it continues'],
    ['--continue', 'Continue after a pause'],
    dryRunOption,
  ],
  examples: [
    ['muster reports update "Software of Berlin" --monthly 1 --at 07:00', 'Another time'],
    ['muster reports update "Software of Berlin" --pause', 'Until it continues'],
  ],
  operations: ['listReports', 'updateReport', 'listWebhooks'],
  async run(call) {
    const { args, client, options, output } = call
    const body = await readChanges(call)
    const { id, name } = await findReport(client, args[0] ?? '')
    const answer = await answerOf(
      client.PATCH('/api/reports/{id}', { params: { path: { id }, query: changeQuery(options) }, body }),
    )
    output.result(answer, `${name} ${options.dryRun ? 'would be' : 'is'} changed.`)
  },
})

type Changes = components['schemas']['UpdateReportRequest']

async function readChanges({ client, options }: Call): Promise<Changes> {
  if (options.pause && options.continue) throw new UsageError('Choose one of --pause and --continue.')
  const [schedule, format] = [readSchedule(options), readFormat(options)]
  const changes: Changes = {
    ...(options.name !== undefined && { name: String(options.name) }),
    ...(format && { format }),
    ...(schedule && { schedule }),
    ...(options.schedule === false && { schedule: null }),
    ...(await readDelivery(client, options)),
    ...(options.mail === false && { recipients: [] }),
    ...(options.webhook === false && { webhookId: null }),
    ...(options.pause === true && { isPaused: true }),
    ...(options.continue === true && { isPaused: false }),
  }
  if (Object.keys(changes).length === 0) throw new UsageError('Name what is to be changed, such as --daily or --pause.')
  return changes
}

function readFormat({ format }: Call['options']): Report['format'] | undefined {
  if (format === undefined) return undefined
  if (format !== 'csv' && format !== 'pdf') throw new UsageError('Choose one of --format csv and --format pdf.')
  return format === 'csv' ? 'Csv' : 'Pdf'
}

function readSchedule({ daily, weekly, monthly, at, timeZone }: Call['options']): Schedule | undefined {
  const chosen = [daily, weekly, monthly].filter((option) => option !== undefined)
  if (chosen.length > 1) throw new UsageError('Choose one of --daily, --weekly and --monthly.')
  if (chosen.length === 0) return undefined
  const zone = timeZone === undefined ? Intl.DateTimeFormat().resolvedOptions().timeZone : String(timeZone)
  if (daily !== undefined) return { frequency: 'Daily', time: String(daily), timeZone: zone }
  if (at === undefined) throw new UsageError('Name the time with --at, such as --at 06:30.')
  const time = { time: String(at), timeZone: zone }
  if (monthly !== undefined) return { frequency: 'Monthly', ...time, dayOfMonth: parseCount(monthly, '--monthly', 1) }
  const weekday = weekdays.find((day) => day.toLowerCase() === String(weekly).toLowerCase())
  if (!weekday) throw new UsageError(`Choose one of ${weekdays.join(', ')}.`)
  return { frequency: 'Weekly', ...time, weekday }
}

async function readDelivery(client: Call['client'], { mail, webhook }: Call['options']) {
  const found = typeof webhook === 'string' ? await findWebhook(client, webhook) : undefined
  return {
    ...(Array.isArray(mail) && { recipients: mail as string[] }),
    ...(found && { webhookId: found.id }),
  }
}

const remove = command({
  name: 'reports delete',
  summary: 'Delete a report with its runs and documents',
  arguments: [reportArgument],
  options: [dryRunOption],
  examples: [['muster reports delete "Software of Berlin"', 'It is not made any more']],
  operations: ['listReports', 'deleteReport'],
  async run({ args, client, options, output }) {
    const { id, name } = await findReport(client, args[0] ?? '')
    await client.DELETE('/api/reports/{id}', { params: { path: { id }, query: changeQuery(options) } })
    output.result({ id, name }, `${name} ${options.dryRun ? 'would be' : 'is'} deleted.`)
  },
})

export const reports = [list, show, create, update, remove, ...reportRuns]
