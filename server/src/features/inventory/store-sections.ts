import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../database/connect.ts'
import { executePrepared } from '../../database/prepared-statements.ts'
import { type ReportedHash, recordSectionHashes } from './record-section-hashes.ts'
import { inventorySections } from './sections/index.ts'
import type { SectionChanges, SectionReport } from './sections/section.ts'

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
  const sections = inventorySections.filter(({ name }) => changed.has(name))
  const changes: SectionChanges[] = []
  for (const { name, prepareChanges } of sections) {
    const one = reported.find(({ section }) => section === name)
    if (one) changes.push(await prepareChanges(db, computerId, one.report()))
  }
  if (changes.length > 0) await executePrepared(db, storeStatement(computerId, changes))
  return changed
}

/** How long sections that arrive one by one count as one inventory. */
const inventoryPeriod = sql`interval '5 minutes'`

/**
 * The statement that stores all changes. It writes the row of the computer once, whatever the number of sections that have
 * something to say about it, because triggers and indexes make each version of that row expensive.
 */
function storeStatement(computerId: number, changes: readonly SectionChanges[]): RawBuilder<unknown> {
  const columns = Object.entries({
    ...Object.assign({}, ...changes.map(({ computer }) => computer)),
    inventory_at: sql`case when inventory_at >= now() - ${inventoryPeriod} then inventory_at else now() end`,
  } as Record<string, RawBuilder<unknown>>)
  const names = sql.join(columns.map(([name]) => sql.ref(name)))
  const values = sql.join(columns.map(([, value]) => value))
  const ctes = changes.flatMap((one) => one.ctes ?? [])
  return sql`
    with ${ctes.length > 0 ? sql`${sql.join(ctes)},` : sql``}
      computer as (
        update computers set (${names}) = row(${values})
        where id = ${computerId} and row(${names}) is distinct from row(${values})
      )
    select`
}

export function toReportedSection(section: string, report: SectionReport): ReportedSection {
  return {
    section,
    hash: Buffer.from(report.hash, 'hex'),
    collectedAt: report.collectedUtc,
    report: () => report,
  }
}
