import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../../database/connect.ts'
import { enqueueAll } from '../../../jobs/enqueue.ts'
import { findAddressFault } from '../../../platform/downloads/allowed-address.ts'
import { type PatchDownloadSettings, patchDownloadRules } from './patch-download-rules.ts'

export type PatchDownloadInput = { sha256: string }

type Wanted = { sha256: string; name: string; urls: string[] }

const isOfPatches = (patchIds: readonly number[]) => sql<boolean>`file.patch_id = any(${patchIds}::integer[])`

/** Somebody has approved the patch for the product or put it into a PM group, or an assigned policy approves it now or later. */
const isInUse = sql<boolean>`
  exists (
    select from patch_links link
    where link.patch_id = file.patch_id and link.product_id = file.product_id and link.approved_at is not null)
  or exists (
    select from pm_group_patches listed where listed.patch_id = file.patch_id and listed.product_id = file.product_id)
  or exists (
    select from patch_policy_rulings ruling
      join patch_policy_assignments assignment on assignment.policy_id = ruling.policy_id
    where ruling.patch_id = file.patch_id and ruling.product_id = file.product_id and ruling.approved_from is not null
      and now() < ruling.valid_until)`

/** Requests the files of these patches that are in use. */
export async function requestDownloadsInUse(
  db: Database,
  settings: PatchDownloadSettings,
  patchIds: readonly number[],
): Promise<void> {
  await requestDownloads(db, settings, sql<boolean>`${isOfPatches(patchIds)} and (${isInUse})`)
}

/** Requests all files that are in use. */
export async function requestAllDownloadsInUse(db: Database, settings: PatchDownloadSettings): Promise<number> {
  return (await requestDownloads(db, settings, isInUse)).length
}

/** Requests the files of a patch, in use or not, including those whose last download failed. Returns the tracking ids. */
export async function requestDownloadsOfPatch(
  db: Database,
  settings: PatchDownloadSettings,
  patchId: number,
): Promise<string[]> {
  await clearFinishedJobs(
    db,
    sql<boolean>`
    exists (select from patch_files file where file.sha256 = content.sha256 and ${isOfPatches([patchId])})`,
  )
  return requestDownloads(db, settings, isOfPatches([patchId]))
}

/** After a job has failed, the content is not requested again before this is called. */
export async function clearFinishedJobs(db: Database, condition: RawBuilder<boolean>): Promise<void> {
  await sql`
    with finished as materialized (
      select content.sha256 from patch_contents content join background_jobs job on job.id = content.job_id
      where content.stored_at is null and job.finished_at is not null and ${condition}
      order by content.sha256 for update of content
    )
    update patch_contents content set job_id = null from finished where content.sha256 = finished.sha256`.execute(db)
}

/** Enqueues a job for each content that is not stored and was not requested yet, if an address of it is allowed. */
async function requestDownloads(
  db: Database,
  settings: PatchDownloadSettings,
  condition: RawBuilder<boolean>,
): Promise<string[]> {
  if (settings.patchHosts.length === 0) return []
  const wanted = (await lockWanted(db, condition)).filter(({ urls }) =>
    urls.some((url) => findAddressFault(url, patchDownloadRules(settings)) === undefined),
  )
  if (wanted.length === 0) return []
  const inputs = wanted.map(({ sha256, name }) => ({ subject: name, input: { sha256 } satisfies PatchDownloadInput }))
  const jobIds = await enqueueAll(db, 'patch-download', inputs)
  await sql`
    update patch_contents content set job_id = requested.job_id, interruptions = 0
    from unnest(${wanted.map(({ sha256 }) => sha256)}::text[], ${jobIds}::uuid[]) as requested (sha256, job_id)
    where content.sha256 = decode(requested.sha256, 'hex')`.execute(db)
  return jobIds
}

/** The lock keeps a concurrent request from enqueuing the same content. */
async function lockWanted(db: Database, condition: RawBuilder<boolean>): Promise<Wanted[]> {
  const { rows } = await sql<Wanted>`
    with locked as materialized (
      select content.sha256 from patch_contents content
      where content.stored_at is null and content.job_id is null
        and exists (select from patch_files file where file.sha256 = content.sha256 and (${condition}))
      order by content.sha256 for update
    )
    select encode(locked.sha256, 'hex') as sha256, min(file.name) as name, array_agg(distinct file.url) as urls
    from locked join patch_files file on file.sha256 = locked.sha256
    group by locked.sha256 order by locked.sha256`.execute(db)
  return rows
}
