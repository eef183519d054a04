import { useInfiniteQuery } from '@tanstack/react-query'
import { listEvents } from './events.ts'

/** The events after a position, in their order. */
export function useEventsFrom(types: string, after: string) {
  const query = useInfiniteQuery({
    queryKey: ['events', 'from', types, after],
    queryFn: ({ pageParam }) => listEvents({ after: pageParam, limit: 100, ...(types !== '' && { types }) }),
    initialPageParam: after,
    getNextPageParam: ({ nextAfter, hasMore }) => (hasMore ? nextAfter : undefined),
    retry: false,
  })
  return { ...query, events: query.data?.pages.flatMap(({ items }) => items) }
}
