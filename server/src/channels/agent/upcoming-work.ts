import type { Database } from '../../database/connect.ts'
import { findPackageContents } from '../../features/deployments/started-work/content-cache.ts'
import type { PackageContent } from '../../features/deployments/started-work/package-content.ts'
import { listDepotUrls } from '../../features/depots/depots-of-computer.ts'
import {
  exchangePreDownloads,
  type ReportedPreDownload,
  type UpcomingWork,
} from '../../features/pre-downloads/exchange-pre-downloads.ts'
import { maxPreDownloads } from './pre-download-schemas.ts'
import { toDepots } from './work-content.ts'

type Exchange = { preDownloads?: ReportedPreDownload[] }

/** So that the answers to contacts stay small. The list of one package is complete, however long it is. */
const maxFilesInAnswer = 2_000

/**
 * Records what the agent has downloaded before its time, and announces what it should have. The contact has already found out
 * whether there is something to announce, so other contacts cost nothing.
 */
export async function exchangeUpcoming(
  db: Database,
  clientId: number,
  { preDownloads: reports }: Exchange,
  { has_upcoming }: { has_upcoming: boolean },
) {
  if (!reports) return has_upcoming ? { hasUpcoming: true } : {}
  if (!has_upcoming && reports.length === 0) return { upcoming: { work: [], depots: [], depotsAfterServer: [] } }
  const upcoming = (await exchangePreDownloads(db, { clientId, reports })).slice(0, maxPreDownloads)
  const known = new Map(reports.map((report) => [report.workId, report]))
  const unknown = upcoming.filter(({ work_id, content_hash }) => known.get(work_id)?.contentHash !== content_hash)
  const contents = await findPackageContents(db, unknown.map(toHashedPackage))
  const isComplete = upcoming.every((item) => !item.may_fetch || isReady(item, known.get(item.work_id)))
  const depots = isComplete ? { beforeMaster: [], afterMaster: [] } : await listDepotUrls(db, clientId)
  return { upcoming: { work: announce(upcoming, new Set(unknown), contents), ...toDepots(depots) } }
}

const toHashedPackage = ({ package_id, content_hash }: UpcomingWork) => ({
  packageId: package_id,
  contentHash: content_hash,
})

function isReady({ content_hash }: UpcomingWork, report: ReportedPreDownload | undefined): boolean {
  return report?.state === 'Ready' && report.contentHash === content_hash
}

function announce(
  upcoming: readonly UpcomingWork[],
  unknown: ReadonlySet<UpcomingWork>,
  contents: ReadonlyMap<string, PackageContent>,
) {
  let files = 0
  return upcoming.map((item) => {
    const announced = { workId: item.work_id, package: toPackage(item), fetch: item.may_fetch }
    const content = unknown.has(item) ? contents.get(item.package_id) : undefined
    if (!content || (files > 0 && files + content.files.length > maxFilesInAnswer)) return announced
    files += content.files.length
    return { ...announced, files: content.files }
  })
}

function toPackage(item: UpcomingWork) {
  return {
    packageId: item.package_id,
    name: item.name,
    version: item.version,
    kind: item.package_kind,
    operatingSystems: item.operating_systems,
    contentHash: item.content_hash,
  }
}
