import { type QueryKey, useInfiniteQuery } from '@tanstack/react-query'

type PageOfItems<T> = { items: T[]; skip: number; hasMore: boolean; totalCount: number }

const pageSize = 50

/** Reads a list of the API page by page. */
export function usePagedItems<T>(
  queryKey: QueryKey,
  read: (page: { skip: number; top: number }) => Promise<PageOfItems<T>>,
) {
  const query = useInfiniteQuery({
    queryKey,
    queryFn: ({ pageParam }) => read({ skip: pageParam, top: pageSize }),
    initialPageParam: 0,
    getNextPageParam: ({ items, skip, hasMore }) => (hasMore ? skip + items.length : undefined),
  })
  return {
    query,
    items: query.data?.pages.flatMap(({ items }) => items),
    total: query.data?.pages.at(-1)?.totalCount ?? 0,
  }
}
