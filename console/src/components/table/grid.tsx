import { Paper, VisuallyHidden } from '@mantine/core'
import { useId, useMemo, useRef, useState } from 'react'
import { useTexts } from '../../texts/texts.tsx'
import { Head } from './head.tsx'
import { layoutOf, visibleColumns } from './layout.ts'
import { roles } from './roles.ts'
import type { VirtualTableProps } from './table-props.ts'
import { TableRow } from './table-row.tsx'
import { useGridKeys } from './use-grid-keys.ts'
import { useRowsInSight } from './use-rows-in-sight.ts'
import { useSelectRows } from './use-select-rows.ts'
import { useTableModel } from './use-table-model.ts'
import classes from './virtual-table.module.css'

type GridProps<Row, Page> = VirtualTableProps<Row, Page> & { areCards: boolean }

/** Shown before the number of rows is known. */
const placeholders = 12

export function Grid<Row, Page>(props: GridProps<Row, Page>) {
  const { caption, pages, rowId, rowName, rowAddress, sorting, selection, layout, areCards } = props
  const { table: texts } = useTexts()
  const keysHint = useId()
  const scroller = useRef<HTMLDivElement>(null)
  const [activeIndex, setActive] = useState(0)
  const rowCount = pages.rowCount ?? placeholders
  const active = Math.min(activeIndex, rowCount - 1)

  const { visible, grid } = useGridLayout(props)
  const { rowHeight, headHeight, minWidth } = grid
  const { virtualizer, items } = useRowsInSight({ pages, rowId, rowCount, rowHeight, headHeight, active, scroller })
  const rows = items.map(({ index }) => ({ index, data: pages.rowAt(index) }))
  const model = useTableModel({ visible, sorting, rows })
  const select = useSelectRows({ pages, rowId, selection })
  const keys = useGridKeys({
    scroller,
    rowCount,
    rowHeight,
    active,
    setActive,
    scrollToIndex: (index) => virtualizer.scrollToIndex(index),
    select: selection && select,
    addressOf: (index) => addressAt(props, index),
  })

  return (
    <Paper
      withBorder
      className={classes.frame}
      data-previous={pages.isPrevious || undefined}
      data-density={layout.density}
    >
      <div ref={scroller} className={areCards ? `${classes.scroller} ${classes.cards}` : classes.scroller}>
        <table
          {...(selection ? roles.selectableGrid : roles.grid)}
          className={classes.table}
          style={{ minWidth: areCards ? 0 : minWidth }}
          aria-label={caption}
          aria-describedby={keysHint}
          aria-rowcount={rowCount + 1}
          aria-colcount={visible.length + (selection ? 1 : 0)}
          aria-busy={pages.rowCount === undefined || pages.isPrevious}
          {...keys}
        >
          <Head
            headers={model.getHeaderGroups()[0]?.headers ?? []}
            grid={grid}
            columns={visible}
            onResize={areCards ? undefined : layout.setWidth}
            sorting={sorting}
            select={selection && select}
            rowCount={rowCount}
          />
          <tbody {...roles.rowGroup} className={classes.body} style={{ height: virtualizer.getTotalSize() }}>
            {model.getRowModel().rows.map((row, place) => (
              <TableRow
                key={row.id}
                row={row}
                columns={visible}
                start={items[place]?.start ?? 0}
                height={rowHeight}
                grid={grid}
                isActive={row.original.index === active}
                isSelected={select.isSelected(row.original.index)}
                canSelect={selection !== undefined}
                rowName={rowName}
                rowAddress={rowAddress}
              />
            ))}
          </tbody>
        </table>
      </div>
      <VisuallyHidden id={keysHint}>{texts.keys}</VisuallyHidden>
    </Paper>
  )
}

function addressAt<Row, Page>({ pages, rowAddress }: GridProps<Row, Page>, index: number): string | undefined {
  const row = pages.rowAt(index)
  return row === undefined ? undefined : rowAddress?.(row)
}

/** The same objects until the layout changes: rows that stay as they are, are not rendered again. */
function useGridLayout<Row, Page>({ columns, shown, selection, layout, areCards }: GridProps<Row, Page>) {
  const { density, pinned, widths } = layout
  const wanted = shown ?? layout.shown
  const hasSelection = selection !== undefined
  const visible = useMemo(() => visibleColumns(columns, wanted, pinned), [columns, wanted, pinned])
  const grid = useMemo(
    () => layoutOf(visible, { hasSelection, areCards, layout: { density, pinned, widths } }),
    [visible, hasSelection, areCards, density, pinned, widths],
  )
  return { visible, grid }
}
