import { csvField, visibleText } from '@muster/text'

/** A value as a field of a line, with its deceptive characters as escapes: spreadsheets follow them like other programs. */
function toField(value: string | number | Date | null): string {
  if (value === null) return ''
  if (typeof value === 'number') return String(value)
  return value instanceof Date ? value.toISOString() : csvField(visibleText(value))
}

/** A line as RFC 4180 describes it. */
export function formatCsvLine(values: readonly (string | number | Date | null)[]): string {
  return `${values.map(toField).join(',')}\r\n`
}
