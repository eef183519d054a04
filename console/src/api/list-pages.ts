import { type Answer, nextCursor } from '@muster/client'
import { keepPreviousData, type QueryKey, useInfiniteQuery } from '@tanstack/react-query'

type ListOptions<T> = {
  queryKey: QueryKey
  load: (page: { cursor?: string }) => Promise<Answer<T>>
  enabled?: boolean
  refetchInterval?: number | false
}

/** Reads a list page by page. What is shown stays until the next answer has arrived. */
export function useListPages<T extends { items: unknown[]; totalCount: number }>({ load, ...options }: ListOptions<T>) {
  const query = useInfiniteQuery({
    ...options,
    queryFn: async ({ pageParam }) => {
      const { data, response } = await load(pageParam === undefined ? {} : { cursor: pageParam })
      return { data: data as T, next: nextCursor(response) }
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next,
    placeholderData: keepPreviousData,
  })
  const pages = query.data?.pages
  return {
    ...query,
    first: pages?.[0]?.data,
    rows: pages?.flatMap(({ data }): T['items'][number][] => data.items),
    total: pages?.[0]?.data.totalCount,
  }
}
