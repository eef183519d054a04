import { visibleLine } from '@muster/text'
import { cutToWidth, displayWidth, padEndTo, padStartTo } from './display-width.ts'

/** Colours a text, on a terminal only. */
export type Paint = (colour: 'red' | 'green' | 'yellow' | 'dim' | 'bold', text: string) => string

/** Numbers are right-aligned. */
export type Cell = string | number

type Layout = { widths: readonly number[] /** Columns on the left that are shown. */; shown: number }

const gap = '  '
/** A column is not cut further than to this width. */
const minColumnWidth = 10
/** Without a limit, cells are not cut, but one that is longer than this does not make the others longer. */
const maxPadding = 200

/**
 * Formats a table in batches of rows, with a line for each row. If there is a limit, columns are cut to it and the last ones
 * are left out; the first batch decides. Otherwise nothing is cut, and columns only grow from batch to batch.
 */
export function tableFormatter(head: readonly string[], paint: Paint, maxWidth: number | undefined) {
  let layout: Layout | undefined
  const titles = head.map((title) => title.toUpperCase())
  return {
    format(rows: readonly (readonly Cell[])[]): string {
      const cells = rows.map((row) => row.map((cell) => (typeof cell === 'number' ? cell : visibleLine(cell))))
      const isFirst = layout === undefined
      if (layout === undefined || maxWidth === undefined) {
        const widths = widthsOf([layout?.widths.map((width) => ' '.repeat(width)) ?? titles, ...cells])
        layout =
          maxWidth === undefined
            ? { widths: widths.map((width) => Math.min(width, maxPadding)), shown: widths.length }
            : fitColumns(widths, maxWidth)
      }
      const isNumeric = titles.map((_, column) => cells.length > 0 && typeof cells[0]?.[column] === 'number')
      const { shown, widths } = layout
      const align = (row: readonly Cell[]) =>
        row
          .slice(0, shown)
          .map((cell, column) => {
            const text = String(cell)
            const width = widths[column] ?? 0
            const shownText = maxWidth === undefined ? text : cutCell(text, width)
            return isNumeric[column] === true ? padStartTo(shownText, width) : padEndTo(shownText, width)
          })
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

/** Leaves out the last columns if there is no room for them, and cuts the widest ones, the first one only to the whole width. */
function fitColumns(allWidths: readonly number[], maxWidth: number): Layout {
  const widths = allWidths.map((width) => Math.min(width, maxWidth))
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

function cutCell(text: string, width: number): string {
  if (displayWidth(text) <= width) return text
  return width > 0 ? `${cutToWidth(text, width - 1)}…` : ''
}
