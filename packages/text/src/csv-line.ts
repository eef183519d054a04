import { csvField } from './csv-field.ts'
import { visibleText } from './visible-text.ts'

/** Spreadsheets take a file without this mark for one in an older encoding. */
export const byteOrderMark = '\uFEFF'

export type CsvValue = string | number | Date | null

/** A value as a field of a line, with its deceptive characters as escapes: spreadsheets follow them like other programs. */
function toField(value: CsvValue): string {
  if (value === null) return ''
  if (typeof value === 'number') return String(value)
  return value instanceof Date ? value.toISOString() : csvField(visibleText(value))
}

/** A line as RFC 4180 describes it. */
export function formatCsvLine(values: readonly CsvValue[]): string {
  return `${values.map(toField).join(',')}\r\n`
}
