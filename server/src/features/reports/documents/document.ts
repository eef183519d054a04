import type { ReportTable } from '../contents/report-content.ts'

export const reportFormats = ['Csv', 'Pdf'] as const

export type ReportFormat = (typeof reportFormats)[number]

export type ReportDocument = {
  title: string
  /** Lines below the title: what the report is about, and when it was made. */
  facts: string[]
  tables: ReportTable[]
}

/** A spreadsheet is searched and sorted, and a PDF is read. */
export const maxRowsOf: Record<ReportFormat, number> = { Csv: 50_000, Pdf: 5_000 }

/** What a reader must know about a table that is not complete. */
export const limitNote = ({ rows, total }: ReportTable): string | undefined =>
  total > rows.length ? `Only the first ${rows.length} of ${total} rows are listed.` : undefined

export const fileTypes: Record<ReportFormat, { extension: string; contentType: string }> = {
  Csv: { extension: 'csv', contentType: 'text/csv; charset=utf-8' },
  Pdf: { extension: 'pdf', contentType: 'application/pdf' },
}
