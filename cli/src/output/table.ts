import { stripVTControlCharacters } from 'node:util'
import type { Output } from './output.ts'

const maxCellWidth = 60

/** Aligned columns, with a line for each row. */
export function formatTable(
  head: readonly string[] | undefined,
  rows: readonly (readonly string[])[],
  paint: Output['paint'],
): string {
  const cells = rows.map((row) => row.map(toCell))
  const all = head ? [head, ...cells] : cells
  const widths = (all[0] ?? []).map((_, column) => Math.max(...all.map((row) => row[column]?.length ?? 0)))
  const align = (row: readonly string[]) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd()
  const lines = cells.map(align)
  if (head) lines.unshift(paint('bold', align(head)))
  return lines.map((line) => `${line}\n`).join('')
}

/** Names come from computers: control characters in them must not reach the terminal. */
function toCell(text: string): string {
  const line = stripVTControlCharacters(text).replace(/\p{Cc}+/gu, ' ')
  return line.length > maxCellWidth ? `${line.slice(0, maxCellWidth - 1)}…` : line
}
