import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../database/connect.ts'
import { executePrepared } from '../../database/prepared-statements.ts'
import { withdrawUnjustifiedWork } from '../work-states/withdraw-work.ts'
import { isOpenWork } from '../work-states/work-states.ts'
import { type ReportedHash, recordSectionHashes } from './record-section-hashes.ts'
import { inventorySections } from './sections/index.ts'
import type { SectionChanges, SectionReport } from './sections/section.ts'

export type ReportedSection = ReportedHash & {
  /** Called only when the content has changed. */
  report(): SectionReport
}

/** The sections whose content has changed, and whether work or results of the computer may be for another platform now. */
export type StoredSections = { changed: ReadonlySet<string>; isOtherPlatform: boolean }

/**
 * Stores the sections whose content has changed. If the computer has another platform now, the caller withdraws what is not
 * for it (`withdrawInapplicableWork`), after everything that comes before work in the lock order.
 */
export async function storeSections(
  db: Database,
  computerId: number,
  reported: readonly ReportedSection[],
): Promise<StoredSections> {
  const changed = await recordSectionHashes(db, computerId, reported)
  const sections = inventorySections.filter(({ name }) => changed.has(name))
  const changes: SectionChanges[] = []
  for (const { name, prepareChanges } of sections) {
    const one = reported.find(({ section }) => section === name)
    if (one) changes.push(await prepareChanges(db, computerId, one.report()))
  }
  if (changes.length === 0) return { changed, isOtherPlatform: false }
  const { rows } = await executePrepared(db, storeStatement(computerId, changes, changed.has('system')))
  return { changed, isOtherPlatform: rows[0]?.isOtherPlatform === true }
}

/** Cancels the work of a computer, and settles its failures, with packages that are not for the platform that it reports. */
export async function withdrawInapplicableWork(db: Database, computerId: number): Promise<void> {
  const computers = sql<{ computer_id: number }>`select ${computerId}::integer as computer_id`
  await withdrawUnjustifiedWork(db, { computers }, { reason: 'NotApplicable' })
}

/** How long sections that arrive one by one count as one inventory. */
const inventoryPeriod = sql`interval '5 minutes'`

/**
 * The statement that stores all changes. It writes the row of the computer once, whatever the number of sections that have
 * something to say about it, because triggers and indexes make each version of that row expensive.
 */
function storeStatement(
  computerId: number,
  changes: readonly SectionChanges[],
  hasSystem: boolean,
): RawBuilder<{ isOtherPlatform: boolean }> {
  const columns = Object.entries({
    ...Object.assign({}, ...changes.map(({ computer }) => computer)),
    inventory_at: sql`
      case when inventory_at > greatest(now() - ${inventoryPeriod}, os_installed_at) then inventory_at else now() end`,
  } as Record<string, RawBuilder<unknown>>)
  const names = sql.join(columns.map(([name]) => sql.ref(name)))
  const values = sql.join(columns.map(([, value]) => value))
  const ctes = changes.flatMap((one) => one.ctes ?? [])
  return sql<{ isOtherPlatform: boolean }>`
    with ${ctes.length > 0 ? sql`${sql.join(ctes)},` : sql``}
      computer as (
        update computers set (${names}) = row(${values})
        where id = ${computerId} and row(${names}) is distinct from row(${values})
        ${hasSystem ? sql`returning ${platformColumns}` : sql``}
      )
    select ${hasSystem ? isOtherPlatform(computerId) : sql`false`} as "isOtherPlatform"`
}

/** What decides which packages are for a computer. */
const platformColumns = sql`platform, os_name, os_edition, os_version, architecture`

/**
 * Mostly the platform is the same, or the computer has nothing to withdraw. The table still has what was known before; after
 * the installation of an operating system, that is nothing.
 */
const isOtherPlatform = (computerId: number) => sql<boolean>`
  exists (
    select ${platformColumns} from computer
    except
    select ${platformColumns} from computers
    where id = ${computerId} and (os_installed_at is null or inventory_at > os_installed_at))
  and (
    exists (select from deployments where computer_id = ${computerId} and status <> 'Success')
    -- An offer is open work without a deployment.
    or exists (select from work where computer_id = ${computerId} and ${isOpenWork('state')}))`

export function toReportedSection(section: string, report: SectionReport): ReportedSection {
  return {
    section,
    hash: Buffer.from(report.hash, 'hex'),
    collectedAt: report.collectedUtc,
    report: () => report,
  }
}
