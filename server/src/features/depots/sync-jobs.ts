import { sql } from 'kysely'
import type { Database } from '../../database/connect.ts'

export type SyncJobStatus = 'Pending' | 'Running' | 'Success' | 'Failed'

/** The synchronisation jobs of depots, with the columns of the API. */
export function syncJobRows(db: Database) {
  return db
    .selectFrom('sync_jobs')
    .innerJoin('computers', 'computers.id', 'sync_jobs.computer_id')
    .leftJoin('depots', 'depots.computer_id', 'sync_jobs.computer_id')
    .select([
      'sync_jobs.id',
      'computers.id as clientId',
      'computers.name as hostname',
      'computers.domain',
      sql<'Manual' | 'Schedule'>`sync_jobs.trigger`.as('trigger'),
      sql<SyncJobStatus>`sync_jobs.status`.as('status'),
      'sync_jobs.requested_at as requestedUtc',
      'sync_jobs.started_at as lastRunUtc',
      'sync_jobs.finished_at as finishedUtc',
      'depots.next_sync_at as nextRunUtc',
      'sync_jobs.message as result',
      'sync_jobs.packages',
      'sync_jobs.files_transferred as filesTransferred',
      sql<number>`sync_jobs.bytes_transferred`.as('bytesTransferred'),
    ])
}
