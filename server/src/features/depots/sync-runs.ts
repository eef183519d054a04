import { sql } from 'kysely'
import type { Database } from '../../database/connect.ts'
import { pinComputer } from '../computers/computers.ts'

const maxKeptJobs = 100

/**
 * Starts the pending job of the depot, or a scheduled one when none is pending, and returns its id. A job of the depot
 * that still counts as running was interrupted and fails.
 */
export async function startSyncJob(db: Database, clientId: number): Promise<string> {
  await pinComputer(db, clientId)
  // Serialises the starts of one depot.
  await sql`select from depots where computer_id = ${clientId} for update`.execute(db)
  await db
    .updateTable('sync_jobs')
    .set({ status: 'Failed', finished_at: sql`now()`, message: 'The depot was interrupted.' })
    .where('computer_id', '=', clientId)
    .where('status', '=', 'Running')
    .execute()
  await purgeOldSyncJobs(db, clientId)
  const pending = await db
    .updateTable('sync_jobs')
    .set({ status: 'Running', started_at: sql`now()` })
    .where('computer_id', '=', clientId)
    .where('status', '=', 'Pending')
    .returning('id')
    .executeTakeFirst()
  if (pending) return pending.id
  const { id } = await db
    .insertInto('sync_jobs')
    .values({ computer_id: clientId, trigger: 'Schedule', status: 'Running', started_at: sql`now()` })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

async function purgeOldSyncJobs(db: Database, clientId: number): Promise<void> {
  await sql`
    delete from sync_jobs where computer_id = ${clientId} and id < (
      select id from sync_jobs where computer_id = ${clientId} order by id desc offset ${maxKeptJobs - 1} limit 1)`.execute(
    db,
  )
}

export type SyncResult = {
  status: 'Success' | 'Failed'
  message: string
  packages: number
  filesTransferred: number
  bytesTransferred: number
}

/** Records the result of a running job of the depot. Returns false when it has no such job. */
export async function finishSyncJob(
  db: Database,
  clientId: number,
  jobId: string,
  result: SyncResult,
): Promise<boolean> {
  const finished = await db
    .updateTable('sync_jobs')
    .set({
      status: result.status,
      finished_at: sql`now()`,
      message: result.message,
      packages: result.packages,
      files_transferred: result.filesTransferred,
      bytes_transferred: result.bytesTransferred,
    })
    .where('id', '=', jobId)
    .where('computer_id', '=', clientId)
    .where('status', '=', 'Running')
    .returning('id')
    .executeTakeFirst()
  return finished !== undefined
}

export async function findPendingSyncJob(db: Database, clientId: number): Promise<string | undefined> {
  const pending = await db
    .selectFrom('sync_jobs')
    .select('id')
    .where('computer_id', '=', clientId)
    .where('status', '=', 'Pending')
    .executeTakeFirst()
  return pending?.id
}

export type DepotHeartbeat = { version: string; nextSyncAt: Date; url: string | null }

/** Records that the depot is online, and what it reports about itself. */
export async function recordHeartbeat(
  db: Database,
  clientId: number,
  { version, nextSyncAt, url }: DepotHeartbeat,
): Promise<void> {
  await db
    .updateTable('depots')
    .set({ heartbeat_at: sql`now()`, version, next_sync_at: nextSyncAt, url })
    .where('computer_id', '=', clientId)
    .execute()
}
