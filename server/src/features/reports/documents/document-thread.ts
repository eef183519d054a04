import { parentPort, workerData } from 'node:worker_threads'
import { fontFile } from '../../../installation/files.ts'
import type { ReportDocument, ReportFormat } from './document.ts'
import { documentFonts } from './fonts.ts'
import { writeCsv } from './write-csv.ts'
import { writePdf } from './write-pdf.ts'

export type DocumentTask = { document: ReportDocument; format: ReportFormat }

/** The program of a thread: writes one document, and sends its bytes. */
async function write({ document, format }: DocumentTask): Promise<Buffer> {
  if (format === 'Csv') return writeCsv(document)
  return writePdf(document, { regular: fontFile(documentFonts.regular), bold: fontFile(documentFonts.bold) })
}

parentPort?.postMessage(await write(workerData as DocumentTask))
