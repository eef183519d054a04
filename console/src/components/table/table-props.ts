import type { ReactNode } from 'react'
import type { Sorting } from '../data-table.tsx'
import type { RowPages } from './use-row-pages.ts'
import type { TableLayout } from './use-table-layout.ts'

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
  /** The ids of the columns that are shown; those of the layout unless given. */
  shown?: readonly string[]
  layout: TableLayout
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
