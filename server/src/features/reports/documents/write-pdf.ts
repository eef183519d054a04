import type { CsvValue } from '@muster/text'
import { visibleLine } from '@muster/text'
import PDFDocument from 'pdfkit'
import type { ReportColumn, ReportTable } from '../contents/report-content.ts'
import { limitNote, type ReportDocument } from './document.ts'

const margin = 36
const fontSize = 8
const lineHeight = 10
const padding = 4
/** More of one value is cut off: the page is for people, and CSV has the rest. */
const maxLines = 2
const maxCellLength = 300
const footerHeight = 20

export type FontFiles = { regular: string; bold: string }

/** A document of A4 pages. Each page is written as soon as it is full. */
export async function writePdf({ title, facts, tables }: ReportDocument, fonts: FontFiles): Promise<Buffer> {
  const pdf = new PDFDocument({
    size: 'A4',
    layout: 'landscape',
    // The bottom is kept free here instead, because text below a margin begins a page.
    margins: { top: margin, left: margin, right: margin, bottom: 0 },
    font: fonts.regular,
    lang: 'en',
    displayTitle: true,
    info: { Title: visibleLine(title), Creator: 'Muster' },
  })
  const parts: Buffer[] = []
  pdf.on('data', (part: Buffer) => parts.push(part))
  const ended = new Promise<void>((resolve, reject) => pdf.on('end', resolve).on('error', reject))
  pdf.registerFont('regular', fonts.regular).registerFont('bold', fonts.bold)
  const page = openPages(pdf)
  page.line(title, { font: 'bold', size: 16, height: 24 })
  for (const fact of facts) page.line(fact, { font: 'regular', size: 9, height: 13 })
  for (const table of tables) writeTable(pdf, page, table)
  page.end()
  pdf.end()
  await ended
  return Buffer.concat(parts)
}

type Pdf = InstanceType<typeof PDFDocument>
type LineStyle = { font: 'regular' | 'bold'; size: number; height: number }
type Pages = {
  y(): number
  /** Makes sure that this much fits on the page, and returns whether a new one was begun. */
  reserve(height: number): boolean
  advance(height: number): void
  line(text: string, style: LineStyle): void
  end(): void
}

function openPages(pdf: Pdf): Pages {
  let [y, number] = [margin, 1]
  const bottom = pdf.page.height - margin - footerHeight
  const width = pdf.page.width - 2 * margin
  const footer = () =>
    pdf
      .font('regular')
      .fontSize(fontSize)
      .fillColor('#555555')
      .text(`Page ${number}`, margin, pdf.page.height - margin - lineHeight, {
        width,
        align: 'right',
        lineBreak: false,
      })
  const reserve = (height: number) => {
    if (y + height <= bottom) return false
    footer()
    pdf.addPage()
    number++
    y = margin
    return true
  }
  return {
    y: () => y,
    reserve,
    advance(height) {
      y += height
    },
    line(text, { font, size, height }) {
      reserve(height)
      pdf.font(font).fontSize(size).fillColor('black')
      pdf.text(shorten(text), margin, y, { width, height: size * 1.2, ellipsis: true })
      y += height
    },
    end: footer,
  }
}

function writeTable(pdf: Pdf, page: Pages, table: ReportTable): void {
  const width = pdf.page.width - 2 * margin
  const share = width / table.columns.reduce((sum, column) => sum + column.width, 0)
  const widths = table.columns.map((column) => column.width * share - padding)
  page.advance(10)
  // A title alone at the end of a page would be lost.
  page.reserve(60)
  page.line(table.title, { font: 'bold', size: 11, height: 18 })
  const note = limitNote(table)
  if (note !== undefined) page.line(note, { font: 'bold', size: 9, height: 14 })
  if (table.rows.length === 0) {
    page.line('None.', { font: 'regular', size: 9, height: 14 })
    return
  }
  writeHead(pdf, page, table.columns, widths)
  for (const row of table.rows) {
    const texts = row.map(toText)
    pdf.font('regular').fontSize(fontSize)
    const lines = Math.max(1, ...texts.map((text, at) => (pdf.widthOfString(text) > (widths[at] ?? 0) ? maxLines : 1)))
    if (page.reserve(lines * lineHeight + padding)) writeHead(pdf, page, table.columns, widths)
    writeRow(pdf, page, texts, widths, { font: 'regular', lines })
  }
}

function writeHead(pdf: Pdf, page: Pages, columns: readonly ReportColumn[], widths: readonly number[]): void {
  writeRow(
    pdf,
    page,
    columns.map(({ title }) => title),
    widths,
    { font: 'bold', lines: 1 },
  )
  pdf
    .moveTo(margin, page.y() - 2)
    .lineTo(pdf.page.width - margin, page.y() - 2)
    .lineWidth(0.5)
    .stroke('#555555')
}

type RowStyle = { font: 'regular' | 'bold'; lines: number }

function writeRow(
  pdf: Pdf,
  page: Pages,
  texts: readonly string[],
  widths: readonly number[],
  { font, lines }: RowStyle,
) {
  pdf.font(font).fontSize(fontSize).fillColor('black')
  let x = margin
  for (const [at, text] of texts.entries()) {
    const width = widths[at] ?? 0
    if (text !== '') pdf.text(text, x, page.y(), { width, height: lines * lineHeight, ellipsis: true })
    x += width + padding
  }
  page.advance(lines * lineHeight + padding)
}

function toText(value: CsvValue): string {
  if (value === null) return ''
  if (value instanceof Date) return value.toISOString().slice(0, 16).replace('T', ' ')
  return shorten(String(value))
}

function shorten(text: string): string {
  const visible = visibleLine(text)
  return visible.length > maxCellLength ? `${visible.slice(0, maxCellLength).toWellFormed()}…` : visible
}
