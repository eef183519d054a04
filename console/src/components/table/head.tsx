import { Checkbox, Loader, UnstyledButton } from '@mantine/core'
import { flexRender } from '@tanstack/react-table'
import { useTexts } from '../../texts/texts.tsx'
import type { Sorting } from '../data-table.tsx'
import { IconArrowDown, IconArrowsSort, IconArrowUp } from '../icons.ts'
import { roles } from './roles.ts'
import type { SelectRows } from './use-select-rows.ts'
import type { ModelHeader } from './use-table-model.ts'
import classes from './virtual-table.module.css'

type HeadProps<Data> = {
  headers: readonly ModelHeader<Data>[]
  atEnd: ReadonlySet<string>
  template: string
  sorting: Sorting | undefined
  select: SelectRows | undefined
  rowCount: number
}

export function Head<Data>({ headers, atEnd, template, sorting, select, rowCount }: HeadProps<Data>) {
  const first = select ? 2 : 1
  return (
    <thead {...roles.rowGroup} className={classes.head}>
      <tr {...roles.row} aria-rowindex={1} className={classes.row} style={{ gridTemplateColumns: template }}>
        {select && <SelectAllCell select={select} rowCount={rowCount} />}
        {headers.map((header, place) => (
          <HeadCell
            key={header.id}
            header={header}
            sorting={sorting}
            place={first + place}
            isAtEnd={atEnd.has(header.column.id)}
          />
        ))}
      </tr>
    </thead>
  )
}

function SelectAllCell({ select, rowCount }: { select: SelectRows; rowCount: number }) {
  const { table } = useTexts()
  const { selectedCount, reading } = select
  return (
    <th {...roles.columnHeader} aria-colindex={1} className={classes.selectCell} aria-label={table.selection}>
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
}

const orders = { asc: 'ascending', desc: 'descending' } as const
const icons = { asc: IconArrowUp, desc: IconArrowDown }

function HeadCell<Data>({ header, sorting, place, isAtEnd }: HeadCellProps<Data>) {
  const { common } = useTexts()
  const { column } = header
  const title = flexRender(column.columnDef.header, header.getContext())
  const sorted = column.getIsSorted()
  const className = isAtEnd ? `${classes.cell} ${classes.atEnd}` : classes.cell
  if (!sorting || !column.columnDef.enableSorting)
    return (
      <th {...roles.columnHeader} aria-colindex={place} className={className}>
        {title}
      </th>
    )
  const Icon = sorted ? icons[sorted] : IconArrowsSort
  return (
    <th
      {...roles.columnHeader}
      aria-colindex={place}
      aria-sort={sorted ? orders[sorted] : 'none'}
      className={className}
    >
      <UnstyledButton
        className={classes.sort}
        data-sorted={sorted ? true : undefined}
        onClick={() => sorting.sortBy(column.id)}
        title={common.sortBy(String(column.columnDef.header))}
      >
        <span className={classes.ellipsis}>{title}</span>
        <Icon size={14} aria-hidden />
      </UnstyledButton>
    </th>
  )
}
