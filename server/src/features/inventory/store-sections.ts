import type { Database } from '../../database/connect.ts'
import { type ReportedHash, recordSectionHashes } from './record-section-hashes.ts'
import { inventorySections } from './sections/index.ts'
import type { SectionReport } from './sections/section.ts'

export type ReportedSection = ReportedHash & {
  /** Called only when the content has changed. */
  report(): SectionReport
}

/** Stores the sections whose content has changed and returns their names. */
export async function storeSections(
  db: Database,
  computerId: number,
  reported: readonly ReportedSection[],
): Promise<ReadonlySet<string>> {
  const changed = await recordSectionHashes(db, computerId, reported)
  for (const { name, store } of inventorySections) {
    const one = changed.has(name) ? reported.find(({ section }) => section === name) : undefined
    if (one) await store(db, computerId, one.report())
  }
  return changed
}

export function toReportedSection(section: string, report: SectionReport): ReportedSection {
  return {
    section,
    hash: Buffer.from(report.hash, 'hex'),
    collectedAt: report.collectedUtc,
    report: () => report,
  }
}
