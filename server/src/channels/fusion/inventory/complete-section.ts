import type { Database } from '../../../database/connect.ts'
import { findStoredSecurity, findStoredSystem } from '../../../features/inventory/stored-reports.ts'
import { type CompleteSection, type NormalisedSection, toObjectSection } from '../normalisation/normalise.ts'
import { unknownSecurity } from '../normalisation/security.ts'
import { unknownSystem } from '../normalisation/system.ts'

/** Completes a section of a partial report with the stored values. */
export async function completeSection(
  db: Database,
  computerId: number,
  section: NormalisedSection,
): Promise<CompleteSection> {
  const { name, hash, content } = section
  if (hash !== null) return { ...section, hash }
  const stored = name === 'system' ? await findStoredSystem(db, computerId) : await findStoredSecurity(db, computerId)
  // The hash depends on the order of the properties: the unknown report has them in the order of a full report.
  const unknown = name === 'system' ? unknownSystem : unknownSecurity
  return toObjectSection(name, { ...unknown, ...stored, ...JSON.parse(content) })
}
