import { csvField } from '@muster/text'

/** A line of comma-separated values. */
export const csvRow = (cells: readonly string[]): string => `${cells.map(csvField).join(',')}\r\n`
