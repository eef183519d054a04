import { Text } from '@mantine/core'
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { answerOf, api } from '../../api/client.ts'
import { DataTable } from '../../components/data-table.tsx'
import { LoadMore } from '../../components/load-more.tsx'
import { Moment } from '../../components/moment.tsx'
import { Page } from '../../components/page.tsx'
import { RefreshButton } from '../../components/refresh-button.tsx'
import { utcTime, wholeNumber } from '../../components/unknown-filter.ts'
import { useFilters } from '../../components/use-filters.ts'
import { useFleetHistoryTexts } from '../../texts/fleet-history-texts.ts'
import { useTexts } from '../../texts/texts.tsx'
import { useHistoryColumns } from './history-columns.tsx'
import { HistoryFilterBar, type HistoryFilterValues, historyFilters } from './history-filter-bar.tsx'

/** What was deployed on all computers, newest first. */
export function HistoryPage() {
  const texts = useFleetHistoryTexts()
  const { common } = useTexts()
  const filters = useFilters(historyFilters, { computer: wholeNumber, after: utcTime, before: utcTime })
  const events = useInfiniteQuery({
    queryKey: ['history', filters.values],
    queryFn: ({ pageParam }) => readEvents(filters.values, pageParam),
    initialPageParam: undefined as number | undefined,
    getNextPageParam: ({ nextBeforeId }) => nextBeforeId ?? undefined,
    placeholderData: keepPreviousData,
  })
  const searchedUntil = events.data?.pages.at(-1)?.searchedUntilUtc
  return (
    <Page title={texts.title} intro={texts.intro} actions={<RefreshButton {...events} />}>
      <HistoryFilterBar filters={filters} />
      <DataTable
        caption={texts.title}
        columns={useHistoryColumns()}
        rows={events.data?.pages.flatMap(({ items }) => items)}
        rowKey={({ id }) => id}
        error={events.error}
        onRetry={events.refetch}
        empty={
          filters.areSet
            ? { title: common.nothingFound, text: events.hasNextPage ? texts.searchOn : common.nothingFoundHint }
            : { title: texts.emptyTitle, text: texts.emptyText }
        }
        footer={<LoadMore query={events} />}
      />
      {filters.areSet && events.hasNextPage && searchedUntil && (
        <Text size="xs" c="dimmed">
          {texts.searchedUntil} <Moment at={searchedUntil} />
        </Text>
      )}
    </Page>
  )
}

const pageSize = 50
/** A page without matches says little: the search goes on by itself for a while. */
const maxRequests = 5

async function readEvents(values: HistoryFilterValues, beforeId: number | undefined) {
  let page = await readPage(values, beforeId)
  for (let request = 1; request < maxRequests && page.items.length === 0 && page.nextBeforeId !== null; request++)
    page = await readPage(values, page.nextBeforeId)
  return page
}

function readPage(
  { result, mode, computer, group, package: packageId, after, before }: HistoryFilterValues,
  beforeId?: number,
) {
  return answerOf(
    api.GET('/api/fleet/distribution-events', {
      params: {
        query: {
          limit: pageSize,
          ...(result && { result: [result as 'Failed'] }),
          ...(mode && { installMode: [mode as 'Install'] }),
          ...(computer && { computerId: Number(computer) }),
          ...(group && { groupId: group }),
          ...(packageId && { packageId }),
          ...(after && { after }),
          ...(before && { before }),
          ...(beforeId !== undefined && { beforeId }),
        },
      },
    }),
  )
}
