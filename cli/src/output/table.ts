import { cleanLine } from './clean-text.ts'
import { cutToWidth, displayWidth, padEndTo, padStartTo } from './display-width.ts'
import type { Output } from './output.ts'

/** Numbers are aligned at their end. */
export type Cell = string | number

type Layout = { widths: readonly number[] /** Columns on the left that are shown. */; shown: number }

const gap = '  '
/** A column is not cut further than to this width. */
const minColumnWidth = 10

/**
 * Formats a table in batches of rows, with a line for each row. If there is a limit, columns are cut to it and the last ones
 * are left out; the first batch decides. Otherwise nothing is cut, and columns only grow from batch to batch.
 */
export function tableFormatter(head: readonly string[], paint: Output['paint'], maxWidth: number | undefined) {
  let layout: Layout | undefined
  const titles = head.map((title) => title.toUpperCase())
  return {
    format(rows: readonly (readonly Cell[])[]): string {
      const cells = rows.map((row) => row.map((cell) => (typeof cell === 'number' ? cell : cleanLine(cell))))
      const isFirst = layout === undefined
      if (layout === undefined || maxWidth === undefined) {
        const widths = widthsOf([layout?.widths.map((width) => ' '.repeat(width)) ?? titles, ...cells])
        layout = maxWidth === undefined ? { widths, shown: widths.length } : fitColumns(widths, maxWidth)
      }
      const isNumeric = titles.map((_, column) => cells.length > 0 && typeof cells[0]?.[column] === 'number')
      const { shown, widths } = layout
      const align = (row: readonly Cell[]) =>
        row
          .slice(0, shown)
          .map((cell, column) => alignCell(String(cell), widths[column] ?? 0, isNumeric[column] === true))
          .join(gap)
          .trimEnd()
      const lines = cells.map(align)
      if (isFirst) lines.unshift(paint('bold', align(titles)))
      return lines.map((line) => `${line}\n`).join('')
    },
    /** The columns for which there was no room. */
    hidden: (): readonly string[] => (layout ? head.slice(layout.shown) : []),
  }
}

function widthsOf(rows: readonly (readonly Cell[])[]): number[] {
  return (rows[0] ?? []).map((_, column) =>
    rows.reduce((max, row) => Math.max(max, displayWidth(String(row[column]))), 0),
  )
}

/** Leaves out the last columns if there is no room for them, and cuts the widest ones. The first one is shown as it is. */
function fitColumns(widths: readonly number[], maxWidth: number): Layout {
  const sizeOf = (some: readonly number[]) =>
    some.reduce((sum, width) => sum + width, 0) + gap.length * (some.length - 1)
  const least = widths.map((width, column) => (column === 0 ? width : Math.min(width, minColumnWidth)))
  let shown = widths.length
  while (shown > 1 && sizeOf(least.slice(0, shown)) > maxWidth) shown--
  const cut = widths.slice(0, shown)
  while (shown > 1 && sizeOf(cut) > maxWidth) {
    const widest = cut.indexOf(Math.max(...cut.slice(1)), 1)
    cut[widest] = (cut[widest] ?? 0) - 1
  }
  return { widths: cut, shown }
}

function alignCell(text: string, width: number, isNumber: boolean): string {
  if (displayWidth(text) > width) return width > 0 ? padEndTo(`${cutToWidth(text, width - 1)}…`, width) : ''
  return isNumber ? padStartTo(text, width) : padEndTo(text, width)
}
