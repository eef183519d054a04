import { Anchor, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from 'react-router'
import { Facts } from '../../components/facts.tsx'
import { Loading } from '../../components/loading.tsx'
import { Moment } from '../../components/moment.tsx'
import { Page } from '../../components/page.tsx'
import { PrincipalName } from '../../components/principal-name.tsx'
import { ProblemView } from '../../components/problem-view.tsx'
import { Section } from '../../components/section.tsx'
import { StatusBadge } from '../../components/status-badge.tsx'
import { useHasRole, useSession } from '../../shell/session-context.ts'
import { useReportTexts } from '../../texts/report-texts.ts'
import { type Report, reportQuery } from '../reports/reports.ts'
import { scheduleText } from '../reports/schedule-text.ts'
import { webhookQuery } from '../webhooks/webhooks.ts'
import { ReportActions } from './report-actions.tsx'
import { RunList } from './run-list.tsx'

/** While the page is open, it follows the runs: they leave no event. */
const refreshMilliseconds = 10_000

export function ReportPage() {
  const { id = '' } = useParams()
  const { title } = useReportTexts()
  const { principal } = useSession()
  const { data, error, refetch } = useQuery({ ...reportQuery(id), refetchInterval: refreshMilliseconds })
  if (!data)
    return (
      <Page title={title}>{error ? <ProblemView error={error} onRetry={refetch} /> : <Loading height={200} />}</Page>
    )
  const isOwn = data.value.principalId === principal.id
  return (
    <Page title={data.value.name} actions={<ReportActions version={data} isOwn={isOwn} />}>
      <Settings report={data.value} />
      <RunList id={id} isOwn={isOwn} refetchInterval={refreshMilliseconds} />
    </Page>
  )
}

function Settings({ report }: { report: Report }) {
  const texts = useReportTexts()
  const { columns, fields, states } = texts
  return (
    <Section title={texts.settings}>
      <Stack gap="sm" align="flex-start">
        <StatusBadge kind={report.isPaused ? 'warning' : 'good'}>
          {report.isPaused ? states.paused : states.active}
        </StatusBadge>
        <Facts
          rows={[
            [texts.pauseReason, report.pauseReason],
            [columns.kind, texts.kinds[report.kind]],
            [fields.format, texts.formats[report.format]],
            [columns.group, report.groupPath ?? texts.allComputers],
            [columns.schedule, scheduleText(texts, report.schedule)],
            [columns.next, report.nextRunAtUtc && !report.isPaused && <Moment key="next" at={report.nextRunAtUtc} />],
            [fields.recipients, report.recipients.join(', ')],
            [fields.webhook, report.webhookId && <WebhookName key="webhook" id={report.webhookId} />],
            [texts.principal, <PrincipalName key="principal" id={report.principalId} />],
          ]}
        />
      </Stack>
    </Section>
  )
}

/** A webhook by its name. Without the role to read it, its id is shown. */
function WebhookName({ id }: { id: string }) {
  const { data } = useQuery({ ...webhookQuery(id), enabled: useHasRole('admin.manage') })
  if (!data) return <>{id}</>
  return (
    <Anchor component={Link} to={`/admin/webhooks/${id}`} fz="inherit">
      {data.value.name}
    </Anchor>
  )
}
