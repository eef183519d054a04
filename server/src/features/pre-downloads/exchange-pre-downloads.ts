import type { PackageKind } from '@muster/package-format'
import { sql } from 'kysely'
import { shareStatement } from '../../database/batch-calls.ts'
import type { Database } from '../../database/connect.ts'
import { isFrozen } from '../blast-radius/freeze.ts'
import { isOpenWork } from '../work-states/work-states.ts'
import type { PreDownloadState } from './pre-download-states.ts'
import { isPreDownloaded } from './pre-downloaded-work.ts'

/** What an agent has of the content of a work item. */
export type ReportedPreDownload = {
  workId: number
  contentHash: string
  state: PreDownloadState
  fetchedBytes: number
  message: string | null
}

/** A work item whose content the agent should have before it is due. */
export type UpcomingWork = {
  computer_id: number
  work_id: number
  package_id: string
  package_kind: PackageKind
  name: string
  version: string
  operating_systems: string[]
  content_hash: string
  /** False: the agent keeps what it has and downloads nothing. */
  may_fetch: boolean
}

type Exchange = { clientId: number; reports: readonly ReportedPreDownload[] }

/** More would keep the agents that came first waiting. */
const maxSharedExchanges = 64

/**
 * Records what an agent has downloaded before its time, and lists what it should have. Concurrent exchanges share one
 * statement. Only agents with such work need it, so the contacts of others cost nothing.
 */
export const exchangePreDownloads = shareStatement((db) => ({
  async run(exchanges: readonly Exchange[]): Promise<UpcomingWork[][]> {
    const byComputer = Map.groupBy(await exchangeAll(db, exchanges), ({ computer_id }) => computer_id)
    return exchanges.map(({ clientId }) => byComputer.get(clientId) ?? [])
  },
  keyOf: ({ clientId }) => clientId,
  maxBatchSize: maxSharedExchanges,
}))

/**
 * Work that somebody has locked is not recorded: the next contact reports it again. A contact never waits for a lock, and the
 * reference of a new row would.
 */
async function exchangeAll(db: Database, exchanges: readonly Exchange[]): Promise<UpcomingWork[]> {
  const computerIds = exchanges.map(({ clientId }) => clientId)
  const reports = exchanges.flatMap(({ clientId, reports }) => reports.map((report) => ({ clientId, ...report })))
  const { rows } = await sql<UpcomingWork>`
    with upcoming as materialized (
      select w.computer_id, w.id as work_id, p.id as package_id, p.kind as package_kind, p.name, p.version,
        p.operating_systems, encode(p.content_hash, 'hex') as content_hash,
        w.state = 'Due' and not ${isFrozen}
          and coalesce((select state not in ('Paused', 'Cancelled') from rollouts where id = w.rollout_id), true)
          as may_fetch
      from unnest(${computerIds}::integer[]) as asking (owner_id)
        cross join lateral (
          -- In the order of the index on open work, and never that of the whole table.
          select * from work
          where computer_id = asking.owner_id and ${isOpenWork('state')} and package_id is not null offset 0
        ) as w
        join packages p on p.id = w.package_id
      where ${isPreDownloaded('w', 'p')}
    ), changed as materialized (
      select report."workId" as work_id, report."contentHash" as content_hash, report.state,
        report."fetchedBytes" as fetched_bytes, report.message
      from jsonb_to_recordset(${JSON.stringify(reports)}::jsonb) as report("clientId" integer, "workId" bigint,
          "contentHash" text, state text, "fetchedBytes" bigint, message text)
        join upcoming on upcoming.work_id = report."workId" and upcoming.computer_id = report."clientId"
        left join pre_downloads stored on stored.work_id = report."workId"
      where (stored.content_hash, stored.state, stored.fetched_bytes, stored.message)
        is distinct from (report."contentHash", report.state, report."fetchedBytes", report.message)
    ), pinned as materialized (
      select id from work where id = any(array(select work_id from changed)) order by id for key share skip locked
    ), recorded as (
      insert into pre_downloads (work_id, content_hash, state, fetched_bytes, message)
      select work_id, content_hash, state, fetched_bytes, message
      from changed join pinned on pinned.id = changed.work_id order by work_id
      on conflict on constraint pre_downloads_pkey do update set content_hash = excluded.content_hash,
        state = excluded.state, fetched_bytes = excluded.fetched_bytes, message = excluded.message, reported_at = now()
    )
    select * from upcoming order by computer_id, work_id`.execute(db)
  return rows
}
