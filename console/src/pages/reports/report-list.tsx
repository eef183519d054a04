import { Anchor, Group } from '@mantine/core'
import { Link } from 'react-router'
import { api } from '../../api/client.ts'
import { useListPages } from '../../api/list-pages.ts'
import { type Column, DataTable } from '../../components/data-table.tsx'
import { LoadMore } from '../../components/load-more.tsx'
import { Moment } from '../../components/moment.tsx'
import { StatusBadge } from '../../components/status-badge.tsx'
import { useReportTexts } from '../../texts/report-texts.ts'
import { CreateReport } from './create-report.tsx'
import { type Report, reportsKey } from './reports.ts'
import { scheduleText } from './schedule-text.ts'

export function ReportList() {
  const texts = useReportTexts()
  const pages = useListPages({
    queryKey: [...reportsKey, 'list'],
    load: (page) => api.GET('/api/reports', { params: { query: { top: 50, ...page } } }),
  })
  return (
    <>
      <Group justify="flex-end" mb="sm">
        <CreateReport />
      </Group>
      <DataTable
        caption={texts.title}
        columns={useColumns()}
        rows={pages.rows}
        rowKey={({ id }) => id}
        error={pages.error}
        onRetry={pages.refetch}
        empty={{ title: texts.emptyTitle, text: texts.emptyText }}
        footer={<LoadMore query={pages} />}
      />
    </>
  )
}

function useColumns(): Column<Report>[] {
  const texts = useReportTexts()
  const { columns, kinds, formats, states } = texts
  return [
    {
      id: 'name',
      title: columns.name,
      cell: ({ id, name }) => (
        <Anchor component={Link} to={`/reports/${id}`} size="sm" fw={600}>
          {name}
        </Anchor>
      ),
    },
    { id: 'kind', title: columns.kind, cell: ({ kind, format }) => `${kinds[kind]} (${formats[format]})` },
    { id: 'group', title: columns.group, cell: ({ groupPath }) => groupPath ?? texts.allComputers },
    { id: 'schedule', title: columns.schedule, cell: ({ schedule }) => scheduleText(texts, schedule) },
    {
      id: 'next',
      title: columns.next,
      width: 160,
      cell: ({ isPaused, nextRunAtUtc }) => nextRunAtUtc && !isPaused && <Moment at={nextRunAtUtc} />,
    },
    {
      id: 'state',
      title: columns.state,
      width: 130,
      cell: ({ isPaused }) => (
        <StatusBadge kind={isPaused ? 'warning' : 'good'}>{isPaused ? states.paused : states.active}</StatusBadge>
      ),
    },
  ]
}
