import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../database/connect.ts'
import type { PreDownloadState } from './pre-download-states.ts'
import { isPreDownloaded } from './pre-downloaded-work.ts'

export type PreDownloadFilter = {
  groupId?: string | undefined
  packageId?: string | undefined
  taskId?: string | undefined
  rolloutId?: string | undefined
}

export type PreDownloadCounts = {
  packageId: string
  packageName: string
  version: string
  /** Work items that wait for their time. */
  total: number
  ready: number
  fetching: number
  failed: number
  waiting: number
  bytes: number
  earliestStartUtc: Date | null
}

/** What an agent reported about a work item, given both aliases and that of the package. An import may have outdated it. */
const currentState = sql<PreDownloadState>`
  case when known.content_hash = encode(p.content_hash, 'hex') then known.state else 'Waiting' end`

/** On how many computers the content of packages is ready before its time, one row for each package. */
export async function countPreDownloads(db: Database, filter: PreDownloadFilter): Promise<PreDownloadCounts[]> {
  const conditions: RawBuilder<boolean>[] = [
    sql`w.state = 'Due'`,
    isPreDownloaded('w', 'p'),
    ...equals('w.group_id', filter.groupId),
    ...equals('w.package_id', filter.packageId),
    ...equals('w.task_id', filter.taskId),
    ...equals('w.rollout_id', filter.rolloutId),
  ]
  const { rows } = await sql<PreDownloadCounts>`
    select counted.*, (select coalesce(sum(size), 0) from package_files where package_id = counted."packageId")::float8 as bytes
    from (
      select p.id as "packageId", p.name as "packageName", p.version, count(*)::integer as total,
        (count(*) filter (where now_is.state = 'Ready'))::integer as ready,
        (count(*) filter (where now_is.state = 'Fetching'))::integer as fetching,
        (count(*) filter (where now_is.state = 'Failed'))::integer as failed,
        (count(*) filter (where now_is.state = 'Waiting'))::integer as waiting,
        min(w.not_before) as "earliestStartUtc"
      from work w
        join packages p on p.id = w.package_id
        left join pre_downloads known on known.work_id = w.id
        cross join lateral (select ${currentState} as state) as now_is
      where ${sql.join(conditions, sql` and `)}
      group by p.id
    ) as counted
    order by lower("packageName"), version, "packageId"`.execute(db)
  return rows
}

function equals(column: string, id: string | undefined): RawBuilder<boolean>[] {
  return id === undefined ? [] : [sql`${sql.ref(column)} = ${id}::uuid`]
}

export type WorkPreDownload = {
  state: PreDownloadState
  fetchedBytes: number
  message: string | null
  reportedUtc: Date | null
}

/** What is known about the content of one work item; undefined if it is not downloaded before its time. */
export async function findPreDownload(db: Database, workId: number): Promise<WorkPreDownload | undefined> {
  const { rows } = await sql<WorkPreDownload>`
    select now_is.state, case when now_is.state = known.state then known.fetched_bytes else 0 end::float8 as "fetchedBytes",
      case when now_is.state = known.state then known.message end as message, known.reported_at as "reportedUtc"
    from work w
      join packages p on p.id = w.package_id
      left join pre_downloads known on known.work_id = w.id
      cross join lateral (select ${currentState} as state) as now_is
    where w.id = ${workId} and ${isPreDownloaded('w', 'p')}`.execute(db)
  return rows[0]
}
