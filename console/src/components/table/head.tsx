import { Checkbox, Loader, UnstyledButton } from '@mantine/core'
import { flexRender } from '@tanstack/react-table'
import { useTexts } from '../../texts/texts.tsx'
import type { Sorting } from '../data-table.tsx'
import { IconArrowDown, IconArrowsSort, IconArrowUp } from '../icons.ts'
import type { GridLayout } from './layout.ts'
import { ResizeHandle } from './resize-handle.tsx'
import { roles } from './roles.ts'
import type { TableColumn } from './table-props.ts'
import type { SelectRows } from './use-select-rows.ts'
import type { ModelHeader } from './use-table-model.ts'
import classes from './virtual-table.module.css'

type HeadProps<Data> = {
  headers: readonly ModelHeader<Data>[]
  grid: GridLayout
  columns: readonly TableColumn<never>[]
  /** Undefined if the width of columns cannot be changed. */
  onResize: ((id: string, width: number) => void) | undefined
  sorting: Sorting | undefined
  select: SelectRows | undefined
  rowCount: number
}

export function Head<Data>({ headers, grid, columns, onResize, sorting, select, rowCount }: HeadProps<Data>) {
  const first = select ? 2 : 1
  return (
    <thead {...roles.rowGroup} className={classes.head}>
      <tr
        {...roles.row}
        aria-rowindex={1}
        className={classes.row}
        style={{ gridTemplateColumns: grid.template, height: grid.headHeight }}
      >
        {select && <SelectAllCell select={select} rowCount={rowCount} isPinned={grid.pinnedAt.size > 0} />}
        {headers.map((header, place) => (
          <HeadCell
            key={header.id}
            header={header}
            sorting={sorting}
            place={first + place}
            isAtEnd={columns[place]?.isAtEnd ?? false}
            pinnedAt={grid.pinnedAt.get(header.column.id)}
            width={columns[place]?.width ?? 0}
            onResize={onResize && ((width) => onResize(header.column.id, width))}
          />
        ))}
      </tr>
    </thead>
  )
}

type SelectAllCellProps = { select: SelectRows; rowCount: number; isPinned: boolean }

function SelectAllCell({ select, rowCount, isPinned }: SelectAllCellProps) {
  const { table } = useTexts()
  const { selectedCount, reading } = select
  return (
    <th
      {...roles.columnHeader}
      aria-colindex={1}
      className={classes.selectCell}
      aria-label={table.selection}
      data-pinned={isPinned || undefined}
      style={{ left: 0 }}
    >
      {reading === undefined ? (
        <Checkbox
          size="xs"
          aria-label={selectedCount > 0 ? table.selectNone : table.selectAll(rowCount)}
          checked={selectedCount > 0 && selectedCount >= rowCount}
          indeterminate={selectedCount > 0 && selectedCount < rowCount}
          onChange={select.toggleAll}
        />
      ) : (
        <Loader size={14} role="status" aria-label={table.selecting(reading, rowCount)} />
      )}
    </th>
  )
}

type HeadCellProps<Data> = {
  header: ModelHeader<Data>
  sorting: Sorting | undefined
  place: number
  isAtEnd: boolean
  pinnedAt: number | undefined
  width: number
  onResize: ((width: number) => void) | undefined
}

const orders = { asc: 'ascending', desc: 'descending' } as const
const icons = { asc: IconArrowUp, desc: IconArrowDown }

function HeadCell<Data>({ header, sorting, place, isAtEnd, pinnedAt, width, onResize }: HeadCellProps<Data>) {
  const { common } = useTexts()
  const { column } = header
  const title = flexRender(column.columnDef.header, header.getContext())
  const sorted = column.getIsSorted()
  const className = isAtEnd ? `${classes.cell} ${classes.atEnd}` : classes.cell
  // The name of a header is its title, without the border that is in it.
  const cell = {
    'aria-label': String(column.columnDef.header),
    'data-pinned': pinnedAt === undefined ? undefined : true,
    style: { left: pinnedAt },
  }
  const handle = onResize && <ResizeHandle title={String(column.columnDef.header)} width={width} onResize={onResize} />
  if (!sorting || !column.columnDef.enableSorting)
    return (
      <th {...roles.columnHeader} aria-colindex={place} className={className} {...cell}>
        <span className={classes.ellipsis} data-content>
          {title}
        </span>
        {handle}
      </th>
    )
  const Icon = sorted ? icons[sorted] : IconArrowsSort
  return (
    <th
      {...roles.columnHeader}
      aria-colindex={place}
      aria-sort={sorted ? orders[sorted] : 'none'}
      className={className}
      {...cell}
    >
      <UnstyledButton
        className={classes.sort}
        data-sorted={sorted ? true : undefined}
        onClick={() => sorting.sortBy(column.id)}
        title={common.sortBy(String(column.columnDef.header))}
      >
        <span className={classes.ellipsis} data-content>
          {title}
        </span>
        <Icon size={14} aria-hidden />
      </UnstyledButton>
      {handle}
    </th>
  )
}
