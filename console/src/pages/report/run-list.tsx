import { Anchor, Text } from '@mantine/core'
import { api } from '../../api/client.ts'
import { useListPages } from '../../api/list-pages.ts'
import { type Column, DataTable } from '../../components/data-table.tsx'
import { LoadMore } from '../../components/load-more.tsx'
import { Moment } from '../../components/moment.tsx'
import { StatusBadge } from '../../components/status-badge.tsx'
import { TitledTable } from '../../components/titled-table.tsx'
import { useReportTexts } from '../../texts/report-texts.ts'
import { type ReportRun, reportsKey } from '../reports/reports.ts'

type RunListProps = { id: string; isOwn: boolean; refetchInterval: number }

/** The last runs of a report, newest first, with their documents. */
export function RunList({ id, isOwn, refetchInterval }: RunListProps) {
  const texts = useReportTexts()
  const pages = useListPages({
    queryKey: [...reportsKey, id, 'runs'],
    load: (page) => api.GET('/api/reports/{id}/runs', { params: { path: { id }, query: { top: 50, ...page } } }),
    refetchInterval,
  })
  return (
    <TitledTable title={texts.lastRuns}>
      <DataTable
        caption={texts.lastRuns}
        columns={useColumns(isOwn)}
        rows={pages.rows}
        rowKey={(run) => run.id}
        error={pages.error}
        onRetry={pages.refetch}
        empty={{ title: texts.noRunsTitle, text: texts.noRunsText }}
        footer={<LoadMore query={pages} />}
      />
    </TitledTable>
  )
}

const stateKinds = { Waiting: 'running', Succeeded: 'good', Failed: 'bad' } as const

function useColumns(isOwn: boolean): Column<ReportRun>[] {
  const texts = useReportTexts()
  const { runColumns: columns, requested, scheduled } = texts
  return [
    { id: 'due', title: columns.due, width: 170, cell: ({ dueAtUtc }) => <Moment at={dueAtUtc} /> },
    { id: 'reason', title: columns.reason, cell: ({ isRequested }) => (isRequested ? requested : scheduled) },
    { id: 'state', title: columns.state, cell: (run) => <State run={run} /> },
    {
      id: 'rows',
      title: columns.rows,
      cell: ({ rows, totalRows }) => rows !== null && texts.rowsOf(rows, totalRows ?? rows),
    },
    {
      id: 'sent',
      title: columns.sent,
      cell: ({ mailedAtUtc, postedAtUtc }) =>
        [mailedAtUtc && texts.mailed, postedAtUtc && texts.posted].filter(Boolean).join(', '),
    },
    {
      id: 'file',
      title: columns.file,
      cell: ({ id, reportId, hasFile }) =>
        hasFile &&
        isOwn && (
          <Anchor href={`/api/reports/${reportId}/runs/${id}/file`} download size="sm">
            {texts.download}
          </Anchor>
        ),
    },
  ]
}

function State({ run: { state, error, attempts } }: { run: ReportRun }) {
  const texts = useReportTexts()
  return (
    <>
      <StatusBadge kind={stateKinds[state]}>{texts.runStates[state]}</StatusBadge>
      {attempts > 1 && <Text size="xs">{texts.attempts(attempts)}</Text>}
      {error !== null && (
        <Text size="xs" c="dimmed" className="breakable">
          {error}
        </Text>
      )}
    </>
  )
}
