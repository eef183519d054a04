import { answerOf, api, type Schemas } from '../../../../api/client.ts'
import { type Column, DataTable } from '../../../../components/data-table.tsx'
import { LoadMore } from '../../../../components/load-more.tsx'
import { Moment } from '../../../../components/moment.tsx'
import { StatusBadge } from '../../../../components/status-badge.tsx'
import { useComputerHistoryTexts } from '../../../../texts/computer-history-texts.ts'
import { textFor } from '../../../../texts/texts.tsx'
import { computerKey } from '../../computer-data.ts'
import { resultKind } from '../../states.ts'
import { usePagedItems } from '../use-paged-items.ts'

/** The distribution history: what was requested, begun and reported. */
export function DeploymentHistory({ id }: { id: number }) {
  const texts = useComputerHistoryTexts()
  const { query, items } = usePagedItems([...computerKey(id), 'deployments'], (page) =>
    answerOf(api.GET('/api/computer/{id}/distribution-history', { params: { path: { id }, query: page } })),
  )
  const columns: Column<Schemas['ComputerDistributionEvent']>[] = [
    {
      id: 'time',
      title: texts.columns.time,
      width: 180,
      cell: ({ logDateUtc }) => logDateUtc && <Moment at={logDateUtc} />,
    },
    {
      id: 'package',
      title: texts.columns.package,
      cell: ({ packageName, version, kbNumber }) =>
        [packageName ?? kbNumber ?? texts.deletedPackage, version].filter(Boolean).join(' '),
    },
    {
      id: 'mode',
      title: texts.columns.mode,
      width: 150,
      cell: ({ installMode }) => textFor(texts.modes, installMode ?? '') ?? installMode,
    },
    {
      id: 'result',
      title: texts.columns.result,
      width: 130,
      cell: ({ result }) => (
        <StatusBadge kind={resultKind(result)}>{textFor(texts.results, result ?? '') ?? result}</StatusBadge>
      ),
    },
    {
      id: 'cause',
      title: texts.columns.cause,
      width: 150,
      cell: ({ classification }) => textFor(texts.classifications, classification ?? '') ?? classification,
    },
    { id: 'info', title: texts.columns.command, cell: ({ info }) => info },
  ]
  return (
    <DataTable
      caption={texts.views.deployments}
      columns={columns}
      rows={items}
      rowKey={({ id }) => id}
      error={query.error}
      onRetry={query.refetch}
      empty={{ title: texts.noDeployments, text: texts.noDeploymentsHint }}
      footer={<LoadMore query={query} />}
    />
  )
}
