import { Anchor, Text } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { answerOf, api } from '../../api/client.ts'
import type { FailureCause } from '../../api/packages.ts'
import type { components } from '../../api/types.ts'
import { type Column, DataTable } from '../../components/data-table.tsx'
import { LoadMore } from '../../components/load-more.tsx'
import { Moment } from '../../components/moment.tsx'
import { useTexts } from '../../texts/texts.tsx'

type FailingComputer = components['schemas']['FailingComputer']

const pageSize = 20

/** The computers that fail for one cause. */
export function FailingComputers({ cause: { causeId, packageId, count } }: { cause: FailureCause }) {
  const { common, packages } = useTexts()
  const list = useInfiniteQuery({
    queryKey: ['package', packageId, 'failures', causeId],
    queryFn: ({ pageParam: skip }) =>
      answerOf(
        api.GET('/api/fleet/packages/{id}/failures', {
          params: { path: { id: packageId }, query: { causeId, skip, top: pageSize } },
        }),
      ),
    initialPageParam: 0,
    getNextPageParam: ({ skip, items, hasMore }) => (hasMore ? skip + items.length : undefined),
  })
  return (
    <DataTable
      caption={packages.causes.title(count)}
      columns={useColumns(packageId)}
      rows={list.data?.pages.flatMap(({ items }) => items)}
      rowKey={({ id }) => id}
      error={list.error}
      onRetry={list.refetch}
      empty={{ title: common.nothingFound, text: packages.page.noFailures }}
      footer={<LoadMore query={list} />}
    />
  )
}

function useColumns(packageId: string): Column<FailingComputer>[] {
  const { common, packages } = useTexts()
  const { columns, causes } = packages
  return [
    {
      id: 'computer',
      title: columns.computer,
      cell: ({ id, hostname, domain }) => (
        <div>
          <Anchor component={Link} to={`/computers/${id}`} size="sm" fw={600}>
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
    {
      id: 'failed',
      title: columns.failed,
      width: 190,
      cell: ({ failedUtc }) => (failedUtc ? <Moment at={failedUtc} /> : '–'),
    },
    {
      id: 'seen',
      title: columns.seen,
      width: 190,
      cell: ({ lastSeenUtc }) => (lastSeenUtc ? <Moment at={lastSeenUtc} /> : common.never),
    },
    {
      id: 'why',
      title: causes.why,
      width: 90,
      cell: ({ id, hostname }) => (
        <Anchor
          component={Link}
          to={`/computers/${id}/software?why=${packageId}`}
          size="sm"
          aria-label={causes.whyOf(hostname)}
        >
          {causes.why}
        </Anchor>
      ),
    },
  ]
}
