import type { Database } from '../../database/connect.ts'
import { type ToldHash, takeHashes } from './record-section-hashes.ts'
import { sections } from './sections/index.ts'
import type { Report } from './sections/section.ts'

export type ToldSection = ToldHash & {
  /** Asked for only where the content is new. */
  report(): Report
}

/** Stores the sections whose content is new, and tells which these were. */
export async function storeSections(
  db: Database,
  computerId: number,
  told: readonly ToldSection[],
): Promise<ReadonlySet<string>> {
  const changed = await takeHashes(db, computerId, told)
  for (const { name, store } of sections) {
    const one = changed.has(name) ? told.find(({ section }) => section === name) : undefined
    if (one) await store(db, computerId, one.report())
  }
  return changed
}

export function toldSection(section: string, report: Report): ToldSection {
  return {
    section,
    hash: Buffer.from(report.hash, 'hex'),
    collectedAt: report.collectedUtc,
    report: () => report,
  }
}
