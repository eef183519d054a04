import { EmptyState, Paper } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import type { ReactNode } from 'react'
import type { Sorting } from './data-table.tsx'
import { ProblemView } from './problem-view.tsx'
import { Grid } from './table/grid.tsx'
import type { RowPages } from './table/use-row-pages.ts'

export { type PagePosition, type RowPages, useRowPages } from './table/use-row-pages.ts'

export type RowId = string | number

export type TableColumn<Row> = {
  id: string
  title: string
  cell: (row: Row) => ReactNode
  /** The smallest width in pixels. Columns share the remaining space in proportion. */
  width: number
  isSortable?: boolean
  /** For numbers. */
  isAtEnd?: boolean
  /** Cards on a phone do without it. */
  isLeftOutOfCards?: boolean
}

export type TableSelection = { ids: ReadonlySet<RowId>; change: (ids: ReadonlySet<RowId>) => void }

export type VirtualTableProps<Row, Page = unknown> = {
  caption: string
  /** All columns. The first one names the row, and is always shown. */
  columns: readonly TableColumn<Row>[]
  /** The ids of the columns that are shown; all unless given. */
  shown?: readonly string[]
  pages: RowPages<Row, Page>
  rowId: (row: Row) => RowId
  /** The accessible name of the row. */
  rowName: (row: Row) => string
  /** The page of the row, to which its first column links. */
  rowAddress?: (row: Row) => string
  sorting?: Sorting
  selection?: TableSelection
  empty: { title: string; text: string; action?: ReactNode }
}

/**
 * The table of long lists. It renders the rows in sight only, and reads their pages as the user scrolls; the list may have 100,000 rows.
 * On a phone each row becomes a card. Rows are reached by keyboard like those of a grid: arrows, Page up and down, Home, End.
 */
export function VirtualTable<Row, Page>(props: VirtualTableProps<Row, Page>) {
  const { pages, empty } = props
  const areCards = useMediaQuery('(max-width: 48em)', false, { getInitialValueInEffect: false }) ?? false
  if (pages.error && pages.rowCount === undefined) return <ProblemView error={pages.error} onRetry={pages.retry} />
  if (pages.rowCount === 0)
    return (
      <Paper withBorder>
        <EmptyState p="xl" title={empty.title} description={empty.text}>
          {empty.action}
        </EmptyState>
      </Paper>
    )
  // Cards have another height, and so other positions.
  return <Grid key={areCards ? 'cards' : 'rows'} {...props} areCards={areCards} />
}
