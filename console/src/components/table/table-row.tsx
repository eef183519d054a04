import { memo, type ReactNode } from 'react'
import { Link } from 'react-router'
import { useTexts } from '../../texts/texts.tsx'
import type { GridLayout } from './layout.ts'
import { roles } from './roles.ts'
import type { TableColumn } from './table-props.ts'
import type { ModelRow } from './use-table-model.ts'
import classes from './virtual-table.module.css'

type TableRowProps<Data> = {
  row: ModelRow<Data>
  columns: readonly TableColumn<Data>[]
  start: number
  height: number
  grid: GridLayout
  isActive: boolean
  isSelected: boolean
  canSelect: boolean
  rowName: (data: Data) => string
  rowAddress: ((data: Data) => string) | undefined
}

/** Made of plain elements: while the user scrolls, several rows are made for each frame. */
function Row<Data>({ row, columns, start, height, grid, isActive, isSelected, ...props }: TableRowProps<Data>) {
  const { index, data } = row.original
  const first = props.canSelect ? 2 : 1
  return (
    <tr
      {...roles.row}
      aria-rowindex={index + 2}
      aria-selected={props.canSelect ? isSelected : undefined}
      aria-busy={data === undefined}
      data-index={index}
      tabIndex={isActive ? 0 : -1}
      className={`${classes.row} ${classes.dataRow}`}
      style={{ gridTemplateColumns: grid.template, height, transform: `translateY(${start}px)` }}
    >
      {props.canSelect && (
        <SelectCell
          name={data && props.rowName(data)}
          isSelected={isSelected}
          isActive={isActive}
          isPinned={grid.pinnedAt.size > 0}
        />
      )}
      {row.getAllCells().map((cell, place) => {
        const column = columns[place]
        const isName = place === 0
        const pinnedAt = column && grid.pinnedAt.get(column.id)
        return (
          <td
            key={cell.id}
            {...roles.cell}
            aria-colindex={first + place}
            className={column?.isAtEnd ? `${classes.cell} ${classes.atEnd}` : classes.cell}
            data-title={column?.title}
            data-pinned={pinnedAt === undefined ? undefined : true}
            style={{ left: pinnedAt }}
            data-card={column?.isLeftOutOfCards ? 'none' : isName ? 'name' : 'line'}
          >
            {data === undefined ? (
              <div
                className={classes.placeholder}
                data-loading
                style={{ width: `${widths[(index + place) % widths.length]}%` }}
              />
            ) : (
              <CellContent address={isName ? props.rowAddress?.(data) : undefined} isActive={isActive}>
                {column?.cell(data)}
              </CellContent>
            )}
          </td>
        )
      })}
    </tr>
  )
}

/** Placeholders of different widths look like text. They do not move: hundreds of animations would make scrolling slow. */
const widths = [72, 48, 60, 84, 40]

type CellContentProps = { address: string | undefined; isActive: boolean; children: ReactNode }

function CellContent({ address, isActive, children }: CellContentProps) {
  if (address === undefined)
    return (
      <div className={classes.ellipsis} data-content>
        {children}
      </div>
    )
  return (
    <Link to={address} tabIndex={isActive ? 0 : -1} className={`${classes.ellipsis} ${classes.link}`} data-content>
      {children}
    </Link>
  )
}

type SelectCellProps = { name: string | undefined; isSelected: boolean; isActive: boolean; isPinned: boolean }

function SelectCell({ name, isSelected, isActive, isPinned }: SelectCellProps) {
  const { table } = useTexts()
  return (
    <td
      {...roles.cell}
      aria-colindex={1}
      className={classes.selectCell}
      data-select
      data-pinned={isPinned || undefined}
    >
      <input
        type="checkbox"
        className={classes.checkbox}
        aria-label={name === undefined ? table.loadingRow : table.select(name)}
        checked={isSelected}
        disabled={name === undefined}
        readOnly
        tabIndex={isActive ? 0 : -1}
      />
    </td>
  )
}

/** The model makes a new object of each row whenever the user scrolls. What is shown changes far less often. */
export const TableRow = memo(
  Row,
  ({ row: before, ...others }, { row: after, ...newOthers }) =>
    before.original.index === after.original.index &&
    before.original.data === after.original.data &&
    (Object.keys(others) as (keyof typeof others)[]).every((name) => others[name] === newOthers[name]),
) as typeof Row
