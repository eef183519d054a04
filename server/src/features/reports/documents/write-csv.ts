import { byteOrderMark, type CsvValue, formatCsvLine } from '@muster/text'
import type { ReportTable } from '../contents/report-content.ts'
import { limitNote, type ReportDocument } from './document.ts'

/**
 * A document as one table: programs read a file whose lines all have the same columns. If it has several tables, the first column
 * says to which one a line belongs.
 */
export function writeCsv({ tables }: ReportDocument): Buffer {
  const listed = tables.filter(({ isSummary }) => !isSummary)
  const names = [...new Set(listed.flatMap(({ columns }) => columns.map(({ name }) => name)))]
  const isSingle = listed.length === 1
  const lines = [byteOrderMark + formatCsvLine(isSingle ? names : ['table', ...names])]
  for (const table of listed) {
    for (const line of linesOf(table, names)) lines.push(formatCsvLine(isSingle ? line : [table.title, ...line]))
    const note = limitNote(table)
    if (note !== undefined) lines.push(formatCsvLine([note]))
  }
  return Buffer.from(lines.join(''))
}

function* linesOf({ columns, rows }: ReportTable, names: readonly string[]): Generator<CsvValue[]> {
  const positions = names.map((name) => columns.findIndex((column) => column.name === name))
  for (const row of rows) yield positions.map((position) => row[position] ?? null)
}
