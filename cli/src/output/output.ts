import { styleText } from 'node:util'
import { visibleJson, visibleLine, visibleLines, visibleText } from '@muster/text'
import type { Terminal } from '../terminal.ts'
import { csvRow } from './csv.ts'
import { displayWidth, padEndTo } from './display-width.ts'
import { type Cell, type Paint, tableFormatter } from './table.ts'
import type { Timestamp } from './times.ts'

export const formats = ['table', 'json', 'csv'] as const
export type Format = (typeof formats)[number]

type CellValue = string | number | boolean | Timestamp | null | undefined

/** A column of a table: its title, and the text of a row in it. */
export type Column<Row> = readonly [title: string, value: (row: Row) => CellValue]

export type Output = {
  format: Format
  /** Writes a list. JSON contains the rows as the API returned them, tables and CSV their columns. */
  rows<Row>(columns: readonly Column<Row>[], rows: AsyncIterable<Row> | Iterable<Row>): Promise<void>
  /** Writes one object: as JSON, or as lines with a title each. */
  object<T>(value: T, lines: readonly (readonly [title: string, value: unknown])[]): void
  /** Writes what happened: JSON, or sentences, one in each line. */
  result(value: unknown, lines: string | readonly string[]): void
  /** Writes JSON, whatever the format is. */
  json(value: unknown): void
  /** Writes a list as JSON, whatever the format is. */
  jsonList(items: AsyncIterable<unknown>): Promise<void>
  /** Writes JSON in one line, for what is followed. */
  jsonLine(value: unknown): void
  paint: Paint
}

/** Rows of a table are aligned in batches of this size so that a long list does not have to be complete. */
const batchSize = 1_000

/** A longer title does not move the contents of the others. */
const maxTitleWidth = 60

export function outputTo(terminal: Terminal, format: Format): Output {
  const isColourful = terminal.isTerminal && !terminal.environment.NO_COLOR
  const paint: Paint = (colour, text) => (isColourful ? styleText(colour, text, { validateStream: false }) : text)
  const write = (json: string) => terminal.write(terminal.isTerminal ? visibleJson(json) : json)
  // The terminal passes colours, but CSV must have none of those of this command.
  const writeCsv = (text: string) => terminal.write(terminal.isTerminal ? visibleText(text) : text)
  const writeJson = (value: unknown) => write(`${JSON.stringify(value, null, 2)}\n`)
  return {
    format,
    paint,
    json: writeJson,
    jsonList: (items) => writeJsonList(items, write),
    jsonLine: (value) => write(`${JSON.stringify(value)}\n`),
    async rows(columns, rows) {
      if (format === 'json') return writeJsonList(rows, write)
      const head = columns.map(([title]) => title)
      if (format === 'csv') writeCsv(csvRow(head))
      const table = tableFormatter(head, paint, terminal.isTerminal ? terminal.width : undefined)
      let count = 0
      for await (const batch of batches(rows)) {
        count += batch.length
        if (format === 'csv')
          writeCsv(batch.map((row) => csvRow(columns.map(([, value]) => exactText(value(row))))).join(''))
        else terminal.write(table.format(batch.map((row) => columns.map(([, value]) => cellOf(value(row))))))
      }
      if (format === 'table' && terminal.isTerminal) noteAbout(terminal, count, table.hidden())
    },
    object(value, lines) {
      if (format === 'json') return writeJson(value)
      const texts = lines
        .filter(([, content]) => content !== undefined)
        .map(([title, content]) => [title, textOf(content).trimEnd()] as const)
      if (format === 'csv') return writeCsv(texts.map(csvRow).join(''))
      const shown = texts.map(([title, content]) => [visibleLine(title), visibleText(content)] as const)
      const width = shown.reduce((max, [title]) => Math.max(max, Math.min(displayWidth(title), maxTitleWidth)), 0)
      for (const [title, content] of shown)
        terminal.write(`${paint('dim', padEndTo(title, width))}  ${indent(content, width + 2) || '–'}\n`)
    },
    result(value, lines) {
      if (format === 'json') writeJson(value)
      else terminal.write(`${visibleLines(lines)}\n`)
    },
  }
}

/** What a person may wonder about a table: why it is empty, and where columns are. */
function noteAbout(terminal: Terminal, count: number, hidden: readonly string[]): void {
  if (count === 0) terminal.note('Nothing was found.\n')
  if (hidden.length > 0) terminal.note(`No room for ${hidden.join(', ')}: use a wider terminal, or -o csv.\n`)
}

/** Further lines begin below the first one. */
function indent(text: string | undefined, width: number): string {
  return text?.replaceAll('\n', `\n${' '.repeat(width)}`) ?? ''
}

/** A row as one line, for what is followed. */
export const formatLine = <Row>(columns: readonly Column<Row>[], row: Row) =>
  `${visibleLine(columns.map(([, value]) => cellOf(value(row))).join('  '))}\n`

function cellOf(value: CellValue): Cell {
  if (typeof value === 'number') return value
  return typeof value === 'object' && value !== null ? value.text : textOf(value)
}

const exactText = (value: CellValue) => (typeof value === 'object' && value !== null ? value.utc : textOf(value))

function textOf(value: unknown): string {
  if (value === null || value === undefined) return ''
  return Array.isArray(value) ? value.join(', ') : String(value)
}

/** Writes a list item by item: a long one need not be in memory. */
async function writeJsonList(
  items: AsyncIterable<unknown> | Iterable<unknown>,
  write: (json: string) => void,
): Promise<void> {
  let count = 0
  for await (const item of items)
    write(`${count++ === 0 ? '[\n' : ',\n'}  ${JSON.stringify(item, null, 2).replaceAll('\n', '\n  ')}`)
  write(count === 0 ? '[]\n' : '\n]\n')
}

/** The rows in batches; one empty batch if there are none so that a table has its head. */
async function* batches<Row>(rows: AsyncIterable<Row> | Iterable<Row>): AsyncGenerator<Row[]> {
  let batch: Row[] = []
  let count = 0
  for await (const row of rows) {
    batch.push(row)
    count++
    if (batch.length < batchSize) continue
    yield batch
    batch = []
  }
  if (batch.length > 0 || count === 0) yield batch
}
