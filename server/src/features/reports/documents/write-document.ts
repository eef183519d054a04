import { programFile } from '../../../installation/files.ts'
import { runBoundedThread } from '../../../platform/load/bounded-thread.ts'
import type { ReportDocument, ReportFormat } from './document.ts'
import type { DocumentTask } from './document-thread.ts'

const limits = { maxMs: 180_000, maxHeapMb: 512 }

/** Writes a document in a thread of its own, so requests do not wait for it. */
export async function writeDocument(document: ReportDocument, format: ReportFormat): Promise<Buffer> {
  const task: DocumentTask = { document, format }
  return Buffer.from(
    await runBoundedThread<Uint8Array>(programFile('features/reports/documents/document-thread'), task, limits),
  )
}
