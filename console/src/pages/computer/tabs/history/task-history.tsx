import { Anchor } from '@mantine/core'
import { Link } from 'react-router'
import { answerOf, api, type Schemas } from '../../../../api/client.ts'
import { type Column, DataTable } from '../../../../components/data-table.tsx'
import { LoadMore } from '../../../../components/load-more.tsx'
import { Moment } from '../../../../components/moment.tsx'
import { StatusBadge } from '../../../../components/status-badge.tsx'
import { useComputerHistoryTexts } from '../../../../texts/computer-history-texts.ts'
import { computerKey } from '../../computer-data.ts'
import { taskKinds } from '../../states.ts'
import { usePagedItems } from '../use-paged-items.ts'

/** The tasks with work for the computer. */
export function TaskHistory({ id }: { id: number }) {
  const texts = useComputerHistoryTexts()
  const { query, items } = usePagedItems([...computerKey(id), 'tasks'], (page) =>
    answerOf(api.GET('/api/tasks', { params: { query: { ...page, clientId: id } } })),
  )
  const columns: Column<Schemas['Task']>[] = [
    {
      id: 'type',
      title: texts.columns.task,
      cell: ({ trackingId, type, packageName }) => (
        <Anchor component={Link} to={`/tasks/${trackingId}`} fz="inherit" fw={600}>
          {[texts.taskTypes[type], packageName].filter(Boolean).join(': ')}
        </Anchor>
      ),
    },
    {
      id: 'state',
      title: texts.columns.result,
      width: 130,
      cell: ({ status }) => <StatusBadge kind={taskKinds[status]}>{texts.taskStates[status]}</StatusBadge>,
    },
    { id: 'group', title: texts.columns.group, cell: ({ groupPath }) => groupPath ?? '–' },
    {
      id: 'created',
      title: texts.columns.created,
      width: 180,
      cell: ({ createdAtUtc }) => <Moment at={createdAtUtc} />,
    },
    {
      id: 'finished',
      title: texts.columns.finished,
      width: 180,
      cell: ({ finishedAtUtc }) => (finishedAtUtc ? <Moment at={finishedAtUtc} /> : '–'),
    },
  ]
  return (
    <DataTable
      caption={texts.views.tasks}
      columns={columns}
      rows={items}
      rowKey={({ trackingId }) => trackingId}
      error={query.error}
      onRetry={query.refetch}
      empty={{ title: texts.noTasks, text: texts.noTasksHint }}
      footer={<LoadMore query={query} />}
    />
  )
}
