import { Anchor, Button, Text } from '@mantine/core'
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { answerOf, api } from '../../api/client.ts'
import type { components } from '../../api/types.ts'
import { type Column, DataTable } from '../../components/data-table.tsx'
import { LoadMore } from '../../components/load-more.tsx'
import { Moment } from '../../components/moment.tsx'
import { TitledTable } from '../../components/titled-table.tsx'
import { useFilters } from '../../components/use-filters.ts'
import { useTexts } from '../../texts/texts.tsx'
import type { IssuePageData } from './issue-queries.ts'

type IssueComputer = components['schemas']['IssueComputer']

const pageSize = 50

/** The computers with the issue, or those of the cause in the address. */
export function IssueComputers({ page: { issue, causes, computers } }: { page: IssuePageData }) {
  const { issues } = useTexts()
  const { values, clear } = useFilters(['cause'])
  const { cause: causeId } = values
  const cause = causes.find((one) => one.causeId === causeId)
  const list = useInfiniteQuery({
    queryKey: ['issue', issue, 'computers', causeId],
    queryFn: ({ pageParam: skip }) =>
      answerOf(
        api.GET('/api/fleet/issues/{issue}/computers', {
          params: { path: { issue }, query: { ...(causeId && { causeId }), skip, top: pageSize } },
        }),
      ),
    initialPageParam: 0,
    getNextPageParam: ({ skip, items, hasMore }) => (hasMore ? skip + items.length : undefined),
    placeholderData: keepPreviousData,
  })
  return (
    <TitledTable
      title={causeId ? issues.computersOf(cause?.name ?? issues.unknown) : issues.allComputers(computers)}
      actions={
        causeId && (
          <Button size="compact-sm" variant="default" onClick={clear}>
            {issues.showAll}
          </Button>
        )
      }
    >
      <DataTable
        caption={issues.computers}
        columns={useColumns()}
        rows={list.data?.pages.flatMap(({ items }) => items)}
        rowKey={({ id }) => id}
        error={list.error}
        onRetry={list.refetch}
        empty={{ title: issues.emptyTitle, text: issues.emptyText }}
        footer={<LoadMore query={list} />}
      />
    </TitledTable>
  )
}

function useColumns(): Column<IssueComputer>[] {
  const { issues, common } = useTexts()
  const { columns } = issues
  return [
    {
      id: 'computer',
      title: columns.computer,
      width: 280,
      cell: ({ id, hostname, domain }) => (
        <div>
          <Anchor component={Link} to={`/computers/${id}/issues`} size="sm" fw={600}>
            {hostname}
          </Anchor>
          {domain && (
            <Text component="span" size="xs" c="dimmed">
              {` ${domain}`}
            </Text>
          )}
        </div>
      ),
    },
    { id: 'detail', title: columns.detail, cell: ({ detail }) => detail },
    {
      id: 'seen',
      title: columns.seen,
      width: 190,
      cell: ({ lastSeenUtc }) => (lastSeenUtc ? <Moment at={lastSeenUtc} /> : common.never),
    },
  ]
}
