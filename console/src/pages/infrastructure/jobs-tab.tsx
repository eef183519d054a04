import { Progress, Stack, Text } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { answerOf, api } from '../../api/client.ts'
import { type Column, DataTable } from '../../components/data-table.tsx'
import { Moment } from '../../components/moment.tsx'
import { Pager } from '../../components/pager.tsx'
import { RefreshButton } from '../../components/refresh-button.tsx'
import { StatusBadge } from '../../components/status-badge.tsx'
import { useFilters } from '../../components/use-filters.ts'
import { useLive } from '../../live/use-live.ts'
import { useFormat } from '../../texts/format.ts'
import { useInfrastructureTexts } from '../../texts/infrastructure-texts.ts'
import { textFor } from '../../texts/texts.tsx'
import { depotName, type QueueEntry, queuesKey, type SyncJob, syncJobsKey, syncKinds } from './depots.ts'
import { TableSection } from './table-section.tsx'

const pageSize = 50

export function JobsTab() {
  const { jobs } = useInfrastructureTexts()
  const filters = useFilters([])
  const query = { skip: filters.skip, top: pageSize }
  const queue = useQuery({
    queryKey: queuesKey,
    queryFn: () => answerOf(api.GET('/api/queues', { params: { query: { top: 200 } } })),
  })
  const syncs = useQuery({
    queryKey: [...syncJobsKey, query],
    queryFn: () => answerOf(api.GET('/api/system/sync-jobs', { params: { query } })),
    placeholderData: keepPreviousData,
  })
  useLive({ types: ['muster.depot.*', 'muster.package.*'], refreshes: [queuesKey, syncJobsKey] })
  return (
    <Stack gap="xl">
      <TableSection title={jobs.queue} actions={<RefreshButton {...queue} />}>
        <DataTable
          caption={jobs.queue}
          columns={useQueueColumns()}
          rows={queue.data?.items}
          rowKey={({ id }) => id}
          error={queue.error}
          onRetry={queue.refetch}
          empty={{ title: jobs.queueEmptyTitle, text: jobs.queueEmptyText }}
        />
      </TableSection>
      <TableSection title={jobs.sync} actions={<RefreshButton {...syncs} />}>
        <DataTable
          caption={jobs.sync}
          columns={useSyncColumns()}
          rows={syncs.data?.items}
          rowKey={({ id }) => id}
          error={syncs.error}
          onRetry={syncs.refetch}
          empty={{ title: jobs.syncEmptyTitle, text: jobs.syncEmptyText }}
          footer={
            <Pager skip={filters.skip} top={pageSize} total={syncs.data?.totalCount ?? 0} onSkip={filters.setSkip} />
          }
        />
      </TableSection>
    </Stack>
  )
}

function useQueueColumns(): Column<QueueEntry>[] {
  const { depots, jobs } = useInfrastructureTexts()
  const { columns } = jobs
  return [
    { id: 'queue', title: columns.queue, width: 200, cell: ({ queue }) => textFor(jobs.queues, queue) ?? queue },
    { id: 'subject', title: columns.subject, cell: ({ subject }) => subject },
    {
      id: 'status',
      title: columns.status,
      width: 130,
      cell: ({ status }) => <StatusBadge kind={syncKinds[status]}>{depots.statuses[status]}</StatusBadge>,
    },
    { id: 'progress', title: columns.progress, width: 140, cell: (entry) => <JobProgress {...entry} /> },
    { id: 'created', title: columns.created, width: 160, cell: ({ createdAtUtc }) => <Moment at={createdAtUtc} /> },
    {
      id: 'started',
      title: columns.started,
      width: 160,
      cell: ({ startedAtUtc }) => (startedAtUtc ? <Moment at={startedAtUtc} /> : '–'),
    },
  ]
}

function JobProgress({ subject, progress }: QueueEntry) {
  const format = useFormat()
  if (progress === null) return <>–</>
  return (
    <>
      <Text size="sm">{format.percent(progress / 100)}</Text>
      <Progress value={progress} aria-label={subject} />
    </>
  )
}

function useSyncColumns(): Column<SyncJob>[] {
  const { depots, jobs } = useInfrastructureTexts()
  const format = useFormat()
  const { columns } = jobs
  return [
    { id: 'depot', title: columns.depot, cell: (job) => depotName(job) },
    {
      id: 'status',
      title: columns.status,
      width: 130,
      cell: ({ status }) => <StatusBadge kind={syncKinds[status]}>{depots.statuses[status]}</StatusBadge>,
    },
    { id: 'trigger', title: columns.trigger, width: 150, cell: ({ trigger }) => jobs.triggers[trigger] },
    { id: 'created', title: columns.created, width: 160, cell: ({ requestedUtc }) => <Moment at={requestedUtc} /> },
    {
      id: 'finished',
      title: columns.finished,
      width: 160,
      cell: ({ finishedUtc }) => (finishedUtc ? <Moment at={finishedUtc} /> : '–'),
    },
    {
      id: 'transferred',
      title: columns.transferred,
      width: 150,
      cell: ({ filesTransferred, bytesTransferred }) => jobs.files(filesTransferred, format.bytes(bytesTransferred)),
    },
    { id: 'result', title: columns.result, cell: ({ result }) => result ?? '–' },
  ]
}
