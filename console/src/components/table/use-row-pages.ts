import { hashKey, type QueryClient, type QueryKey, useQueries, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { nextCursorOf } from './next-cursor.ts'

/** A page of a list, as all lists of the API answer it. */
export type RowPage<Row> = { items: Row[]; totalCount: number }

export type PagePosition = { top: number; skip?: number; cursor?: string }

export type RowSource<Page> = {
  /** Names the list with all its filters and its order. */
  queryKey: QueryKey
  read: (position: PagePosition, signal?: AbortSignal) => Promise<{ data?: Page; response: Response }>
}

export type RowPages<Row, Page = RowPage<Row>> = {
  listId: string
  /** Undefined before the first page has arrived. */
  rowCount: number | undefined
  /** Undefined while the page of the row is being read. */
  rowAt: (index: number) => Row | undefined
  /** Reads the pages of these rows, if they are not loaded yet. */
  show: (firstIndex: number, lastIndex: number) => void
  /** Reads the rows from one index to another, whether they are shown or not. */
  readRange: (firstIndex: number, lastIndex: number, options?: ReadOptions) => Promise<Row[]>
  /** The page that arrived last, for what it says about the whole list. */
  latest: Page | undefined
  /** True while the rows still are those of the previous filters. */
  isPrevious: boolean
  error: unknown
  retry: () => void
}

type ReadOptions = { signal?: AbortSignal; onRead?: (rows: number) => void }

type LoadedPage<Page> = { page: Page; next: string | undefined }

const pageSize = 100
/** The largest page of the API. */
const maxPageSize = 1000
/** Rows before and after those that are seen, which are read in advance. */
const margin = 30
/** Pages that are out of sight this long are dropped: the memory of a long list is bounded. */
const unseenPageLifetime = 120_000

/**
 * The rows of a list of any length, of which only the pages in sight are read and refreshed. A page continues at the cursor of
 * the page before it; if pages are skipped, it is read by its index.
 */
export function useRowPages<Row, Page extends RowPage<Row>>({ queryKey, read }: RowSource<Page>): RowPages<Row, Page> {
  const client = useQueryClient()
  const listId = hashKey(queryKey)
  const [asked, setAsked] = useState({ listId, first: 0, last: 0 })
  const { first, last } = asked.listId === listId ? asked : { first: 0, last: 0 }

  const results = useQueries({
    queries: Array.from({ length: last - first + 1 }, (_, offset) => first + offset).map((number) => ({
      queryKey: pageKey(queryKey, number),
      queryFn: async ({ signal }: { signal: AbortSignal }): Promise<LoadedPage<Page>> => {
        const { data, response } = await read(positionOf(client, queryKey, number), signal)
        return { page: data as Page, next: nextCursorOf(response) }
      },
      gcTime: unseenPageLifetime,
    })),
  })
  const newest = results
    .filter(({ data }) => data !== undefined)
    .reduce<(typeof results)[number] | undefined>(
      (best, result) => (best && best.dataUpdatedAt >= result.dataUpdatedAt ? best : result),
      undefined,
    )
  const shown = useShownList(queryKey, listId, newest?.data?.page)
  const failed = results.find(({ error }) => error)

  return {
    listId,
    rowCount: shown.page?.totalCount,
    rowAt: (index) => {
      const loaded = client.getQueryData<LoadedPage<Page>>(pageKey(shown.queryKey, Math.floor(index / pageSize)))
      return loaded?.page.items[index % pageSize]
    },
    show(firstIndex, lastIndex) {
      const end = Math.max((shown.page?.totalCount ?? 1) - 1, 0)
      const wanted = {
        listId,
        first: Math.floor(Math.max(firstIndex - margin, 0) / pageSize),
        last: Math.floor(Math.min(lastIndex + margin, end) / pageSize),
      }
      if (wanted.first !== first || wanted.last !== last) setAsked(wanted)
    },
    readRange: (firstIndex, lastIndex, options) => readRange(read, firstIndex, lastIndex, options),
    latest: shown.page,
    isPrevious: shown.listId !== listId,
    error: failed?.error,
    retry: () => void client.refetchQueries({ queryKey: [...queryKey, 'rows'], type: 'active' }),
  }
}

const pageKey = (queryKey: QueryKey, number: number): QueryKey => [...queryKey, 'rows', number]

function positionOf<Page>(client: QueryClient, queryKey: QueryKey, number: number): PagePosition {
  const previous = client.getQueryData<LoadedPage<Page>>(pageKey(queryKey, number - 1))
  return previous?.next ? { top: pageSize, cursor: previous.next } : { top: pageSize, skip: number * pageSize }
}

/** The list that is shown: until the first page of a new list arrives, the previous one stays. */
function useShownList<Page>(queryKey: QueryKey, listId: string, page: Page | undefined) {
  const kept = useRef<{ queryKey: QueryKey; listId: string; page: Page } | undefined>(undefined)
  useEffect(() => {
    if (page) kept.current = { queryKey, listId, page }
  })
  if (page) return { queryKey, listId, page }
  return kept.current ?? { queryKey, listId, page: undefined }
}

async function readRange<Row, Page extends RowPage<Row>>(
  read: RowSource<Page>['read'],
  firstIndex: number,
  lastIndex: number,
  { signal, onRead }: ReadOptions = {},
): Promise<Row[]> {
  const wanted = lastIndex - firstIndex + 1
  const rows: Row[] = []
  let position: PagePosition | undefined = { top: Math.min(wanted, maxPageSize), skip: firstIndex }
  while (position && rows.length < wanted) {
    const { data, response } = await read(position, signal)
    rows.push(...(data?.items ?? []))
    onRead?.(rows.length)
    const cursor = nextCursorOf(response)
    position = cursor ? { top: maxPageSize, cursor } : undefined
  }
  return rows.slice(0, wanted)
}
