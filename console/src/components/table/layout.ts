import type { TableColumn } from './table-props.ts'
import type { Density, TableLayout } from './use-table-layout.ts'

const rowHeights: Record<Density, number> = { Comfortable: 40, Compact: 24 }
const headHeights: Record<Density, number> = { Comfortable: 40, Compact: 26 }
const cardPadding = 24
const cardLine = 26
const selectionWidth = 44

export const minColumnWidth = 48
export const maxColumnWidth = 800

/** The columns in the order in which they are shown: pinned ones come first. */
export function visibleColumns<Data>(
  columns: readonly TableColumn<Data>[],
  shown: readonly string[] | undefined,
  pinned: readonly string[],
) {
  // The first column names the row: it is always shown, and stays in sight with what is pinned.
  const [name, ...others] = columns.filter(({ id }, place) => place === 0 || !shown || shown.includes(id))
  const isPinned = ({ id }: TableColumn<Data>) => pinned.includes(id)
  return name ? [name, ...others.filter(isPinned), ...others.filter((column) => !isPinned(column))] : []
}

type LayoutOptions = {
  hasSelection: boolean
  areCards: boolean
  layout: Pick<TableLayout, 'density' | 'pinned' | 'widths'>
}

export type GridLayout = {
  rowHeight: number
  headHeight: number
  template: string
  minWidth: number
  /** Where each pinned column begins. */
  pinnedAt: ReadonlyMap<string, number>
}

/** All rows have the same height and all columns fixed widths, so nothing has to be measured while the user scrolls. */
export function layoutOf<Data>(
  visible: readonly TableColumn<Data>[],
  { hasSelection, areCards, layout: { density, pinned, widths } }: LayoutOptions,
): GridLayout {
  const start = hasSelection ? selectionWidth : 0
  const widthOf = ({ id, width }: TableColumn<Data>) => widths[id] ?? width
  const pinnedCount = areCards ? 0 : visible.findLastIndex(({ id }) => pinned.includes(id)) + 1
  const isFixed = (column: TableColumn<Data>, place: number) => place < pinnedCount || widths[column.id] !== undefined
  const tracks = visible.map((column, place) =>
    isFixed(column, place) ? `${widthOf(column)}px` : `minmax(${column.width}px, ${column.width}fr)`,
  )
  const pinnedAt = new Map<string, number>()
  let left = start
  for (const column of visible.slice(0, pinnedCount)) {
    pinnedAt.set(column.id, left)
    left += widthOf(column)
  }
  const onCards = visible.filter(({ isLeftOutOfCards }) => !isLeftOutOfCards)
  return {
    rowHeight: areCards ? cardPadding + cardLine * onCards.length : rowHeights[density],
    headHeight: areCards ? 0 : headHeights[density],
    template: [...(hasSelection ? [`${start}px`] : []), ...tracks].join(' '),
    minWidth: visible.reduce((sum, column) => sum + widthOf(column), start),
    pinnedAt,
  }
}
