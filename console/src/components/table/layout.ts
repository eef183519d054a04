import type { TableColumn } from './table-props.ts'

const rowHeight = 40
const cardPadding = 24
const cardLine = 26
const selectionWidth = 44

/** The first column names the row: it is always shown. */
export function visibleColumns<Data>(columns: readonly TableColumn<Data>[], shown: readonly string[] | undefined) {
  return columns.filter(({ id }, place) => place === 0 || !shown || shown.includes(id))
}

/** All rows have the same height and all columns fixed widths, so nothing has to be measured while the user scrolls. */
export function layoutOf<Data>(visible: readonly TableColumn<Data>[], hasSelection: boolean, areCards: boolean) {
  const onCards = visible.filter(({ isLeftOutOfCards }) => !isLeftOutOfCards)
  const widths = visible.map(({ width }) => `minmax(${width}px, ${width}fr)`)
  const selection = hasSelection ? [`${selectionWidth}px`] : []
  return {
    rowHeight: areCards ? cardPadding + cardLine * onCards.length : rowHeight,
    template: [...selection, ...widths].join(' '),
    minWidth: visible.reduce((sum, { width }) => sum + width, hasSelection ? selectionWidth : 0),
  }
}
