import { useThrottledCallback } from '@mantine/hooks'
import { defaultRangeExtractor, useVirtualizer } from '@tanstack/react-virtual'
import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react'
import { useNavigationType } from 'react-router'
import type { RowId } from './table-props.ts'
import type { RowPages } from './use-row-pages.ts'

type Options<Row, Page> = {
  pages: RowPages<Row, Page>
  rowId: (row: Row) => RowId
  rowCount: number
  rowHeight: number
  headHeight: number
  /** The row that has or had the focus is rendered wherever it is: the focus must not get lost. */
  active: number
  scroller: RefObject<HTMLDivElement | null>
}

/** Where people left each list so that "back" returns there. */
const lastOffsets = new Map<string, number>()

export function useRowsInSight<Row, Page>(options: Options<Row, Page>) {
  const { pages, rowCount, rowHeight, headHeight, active, scroller } = options
  const isReturn = useNavigationType() === 'POP'
  const virtualizer = useVirtualizer({
    count: rowCount,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: 8,
    // The head covers the first rows and makes the area below it smaller.
    scrollPaddingEnd: headHeight,
    initialOffset: () => (isReturn ? (lastOffsets.get(pages.listId) ?? 0) : 0),
    rangeExtractor: (range) => {
      const indexes = defaultRangeExtractor(range)
      return indexes.includes(active) || active >= rowCount ? indexes : [...indexes, active].sort((a, b) => a - b)
    },
    useFlushSync: false,
  })
  const { startIndex = 0, endIndex = 0 } = virtualizer.range ?? {}
  const show = useThrottledCallback(pages.show, 100)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the functions are new each time, the rows in sight are not
  useEffect(() => {
    show(startIndex, endIndex)
  }, [startIndex, endIndex, pages.listId, pages.rowCount])

  useEffect(() => {
    lastOffsets.set(pages.listId, virtualizer.scrollOffset ?? 0)
  })
  useStartAtTop(pages.listId, () => virtualizer.scrollToOffset(0))
  useAnchor(options, startIndex, (rows) => virtualizer.scrollBy(rows * rowHeight))
  return { virtualizer, items: virtualizer.getVirtualItems() }
}

/** Another list begins at its first row. */
function useStartAtTop(listId: string, scrollToTop: () => void) {
  const shown = useRef(listId)
  // biome-ignore lint/correctness/useExhaustiveDependencies: only another list counts
  useLayoutEffect(() => {
    if (shown.current !== listId) scrollToTop()
    shown.current = listId
  }, [listId])
}

/** How far a row may have moved between two readings of its page to be found again. */
const maxShift = 100

/** Keeps what the user reads in its place if a refresh brings rows before it. At the very top new rows are seen at once. */
function useAnchor<Row, Page>(
  { pages, rowId }: Pick<Options<Row, Page>, 'pages' | 'rowId'>,
  firstIndex: number,
  scrollByRows: (rows: number) => void,
) {
  const anchor = useRef<{ listId: string; index: number; id: RowId } | undefined>(undefined)
  useLayoutEffect(() => {
    const idAt = (index: number) => {
      const row = pages.rowAt(index)
      return row === undefined ? undefined : rowId(row)
    }
    const { listId, index, id } = anchor.current ?? {}
    const current = idAt(firstIndex)
    if (listId === pages.listId && index === firstIndex && firstIndex > 0 && current !== undefined && current !== id) {
      const shift = shiftsByDistance.find((rows) => idAt(firstIndex + rows) === id)
      if (shift !== undefined) scrollByRows(shift)
    }
    anchor.current = current === undefined ? undefined : { listId: pages.listId, index: firstIndex, id: current }
  })
}

const shiftsByDistance = Array.from({ length: maxShift }, (_, distance) => [distance + 1, -distance - 1]).flat()
