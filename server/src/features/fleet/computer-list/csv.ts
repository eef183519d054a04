import { visibleText } from '@muster/text'

/** Begins what a spreadsheet would evaluate: a formula, or a blank before one. Includes the full-width forms. */
const formulaStart = /^[\s\0]*[=+\-@＝＋－＠\t\r]/

/**
 * A value as a field of a line, with its deceptive characters as escapes: spreadsheets follow them like other programs. Computers and their users choose many of these values, so a text that a spreadsheet would
 * evaluate as a formula gets an apostrophe in front: spreadsheets then show it as text.
 */
function toField(value: string | number | Date | null): string {
  if (value === null) return ''
  if (typeof value === 'number') return String(value)
  if (value instanceof Date) return value.toISOString()
  const shown = visibleText(value)
  const text = formulaStart.test(shown) ? `'${shown}` : shown
  return /[",;\r\n\t]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** A line as RFC 4180 describes it. */
export function formatCsvLine(values: readonly (string | number | Date | null)[]): string {
  return `${values.map(toField).join(',')}\r\n`
}
