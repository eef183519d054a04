import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { answerOf, api } from '../../api/client.ts'
import type { paths } from '../../api/types.ts'
import { useRowPages } from '../../components/virtual-table.tsx'
import { useLive } from '../../live/use-live.ts'
import { type FleetComputer, type ListAddress, type Schemas, toFilterQuery, toListQuery } from './list-address.ts'

/** The computers of the list, read as the user scrolls, and refreshed when computers change. */
export function useComputerList(address: ListAddress) {
  useLive({ types: ['muster.computer.*', 'muster.issue.*', 'muster.group.*'], refreshes: [['computers']] })
  const query = toListQuery(address)
  return useRowPages<FleetComputer, Schemas['FleetComputers']>({
    queryKey: ['computers', 'list', query],
    read: (position, signal) =>
      api.GET('/api/fleet/computers', {
        params: { query: { ...query, ...position } },
        ...(signal && { signal }),
      }),
  })
}

/** The number of computers by the values of each facet. */
export function useFacets(address: ListAddress) {
  const query = toFilterQuery(address)
  const { data } = useQuery({
    queryKey: ['computers', 'facets', query],
    queryFn: ({ signal }) => answerOf(api.GET('/api/fleet/computers/facets', { params: { query }, signal })),
    placeholderData: keepPreviousData,
  })
  return data
}

type ValueQuery = NonNullable<paths['/api/fleet/computers/values']['get']['parameters']['query']>

/** The number of computers by the values of a property that has many. It is read when somebody wants to see it. */
export function useFilterValues(
  address: ListAddress,
  { property, slot, find }: Pick<ValueQuery, 'property' | 'slot' | 'find'>,
  isWanted: boolean,
) {
  const query = { ...toFilterQuery(address), property, ...(slot && { slot }), ...(find && { find }) }
  const { data } = useQuery({
    queryKey: ['computers', 'values', query],
    queryFn: ({ signal }) => answerOf(api.GET('/api/fleet/computers/values', { params: { query }, signal })),
    placeholderData: keepPreviousData,
    enabled: isWanted,
  })
  return data
}

/** The number of computers by group. It is read when somebody wants to see it. */
export function useGroupCounts(address: ListAddress, isWanted: boolean) {
  const query = toFilterQuery(address)
  const { data } = useQuery({
    queryKey: ['computers', 'groups', query],
    queryFn: ({ signal }) => answerOf(api.GET('/api/fleet/computers/groups', { params: { query }, signal })),
    placeholderData: keepPreviousData,
    enabled: isWanted,
  })
  return data
}
