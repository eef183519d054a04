import { EmptyState, Paper, Skeleton, Table, UnstyledButton } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTexts } from '../texts/texts.tsx'
import classes from './data-table.module.css'
import { IconArrowDown, IconArrowsSort, IconArrowUp } from './icons.ts'
import { ProblemView } from './problem-view.tsx'
import { useDensity } from './table/use-table-layout.ts'

export type Column<Row> = {
  id: string
  title: string
  cell: (row: Row) => ReactNode
  isSortable?: boolean
  /** In pixels. Columns without a width share the remaining space. */
  width?: number
  /** For numbers. */
  isAtEnd?: boolean
}

export type Sorting = { column: string; isDescending: boolean; sortBy: (column: string) => void }

type DataTableProps<Row> = {
  caption: string
  columns: readonly Column<Row>[]
  /** Undefined while loading. */
  rows: readonly Row[] | undefined
  rowKey: (row: Row) => string | number
  error: unknown
  onRetry: () => unknown
  sorting?: Sorting
  empty: { title: string; text: string }
  footer?: ReactNode
}

/** The table of all pages, with its loading and empty states. On a phone each row becomes a card. */
export function DataTable<Row>({ rows, error, onRetry, empty, footer, ...table }: DataTableProps<Row>) {
  if (error && !rows) return <ProblemView error={error} onRetry={onRetry} />
  return (
    <Paper withBorder>
      {rows?.length === 0 ? (
        <EmptyState p="xl" title={empty.title} description={empty.text} />
      ) : (
        <Rows {...table} rows={rows} />
      )}
      {footer}
    </Paper>
  )
}

type RowsProps<Row> = Pick<DataTableProps<Row>, 'caption' | 'columns' | 'rows' | 'rowKey' | 'sorting'>

// Explicit roles: the phone layout changes `display`, which removes the native roles of table elements.
function Rows<Row>({ caption, columns, rows, rowKey, sorting }: RowsProps<Row>) {
  const texts = useTexts()
  const [density] = useDensity()
  const spacing = density === 'Compact' ? { verticalSpacing: 2, fz: 'xs' } : {}
  return (
    <Table
      {...spacing}
      className={classes.table}
      role="table"
      aria-busy={!rows}
      aria-label={rows ? caption : texts.common.loading}
    >
      <Table.Thead role="rowgroup">
        <Table.Tr role="row">
          {columns.map((column) => (
            <HeadCell key={column.id} column={column} sorting={sorting} />
          ))}
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody role="rowgroup">
        {rows
          ? rows.map((row) => (
              <Table.Tr key={rowKey(row)} role="row">
                {columns.map(({ id, title, cell, isAtEnd }) => (
                  <Table.Td key={id} role="cell" data-title={title} data-end={isAtEnd || undefined}>
                    {cell(row)}
                  </Table.Td>
                ))}
              </Table.Tr>
            ))
          : placeholders.map((placeholder) => (
              <Table.Tr key={placeholder} role="row">
                {columns.map(({ id }) => (
                  <Table.Td key={id} role="cell">
                    <Skeleton h={14} my={4} />
                  </Table.Td>
                ))}
              </Table.Tr>
            ))}
      </Table.Tbody>
    </Table>
  )
}

const placeholders = ['first', 'second', 'third', 'fourth']

type HeadCellProps<Row> = { column: Column<Row>; sorting: Sorting | undefined }

function HeadCell<Row>({ column: { id, title, isSortable, width, isAtEnd }, sorting }: HeadCellProps<Row>) {
  const texts = useTexts()
  const size = width === undefined ? {} : { w: width }
  if (!isSortable || !sorting)
    return (
      <Table.Th role="columnheader" data-end={isAtEnd || undefined} {...size}>
        {title}
      </Table.Th>
    )
  const isSorted = sorting.column === id
  const order = sorting.isDescending ? 'descending' : 'ascending'
  const Icon = !isSorted ? IconArrowsSort : sorting.isDescending ? IconArrowDown : IconArrowUp
  return (
    <Table.Th role="columnheader" aria-sort={isSorted ? order : 'none'} {...size}>
      <UnstyledButton
        className={classes.sort}
        onClick={() => sorting.sortBy(id)}
        title={texts.common.sortBy(title)}
        fz="inherit"
      >
        {title}
        <Icon size={14} aria-hidden />
      </UnstyledButton>
    </Table.Th>
  )
}
