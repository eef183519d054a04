import type { Contact } from '../protocol.ts'

export type Report = NonNullable<Contact['preDownloads']>[number]

/** With the size of the whole content. */
export type StoredReport = Report & { bytes: number }

/** What a computer has of the content that was announced to it, by the work item. */
export type PreDownloadsOfComputer = Map<number, StoredReport>
