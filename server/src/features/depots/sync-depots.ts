import { sql } from 'kysely'
import type { Database } from '../../database/connect.ts'
import { isDepotOnline } from './depot-servers.ts'
import type { SyncJobStatus } from './sync-jobs.ts'

type Heartbeat = 'online' | 'offline' | 'pending' | 'unknown'

/** The state of the heartbeat. Takes the alias of `depots`. */
const heartbeatState = (depots: string) => sql<Heartbeat>`case
  when ${isDepotOnline(depots)} then 'online'
  when ${sql.ref(`${depots}.heartbeat_at`)} is not null then 'offline'
  when ${sql.ref(`${depots}.secret_hash`)} is not null then 'pending'
  else 'unknown'
end`

/** The depot servers with their heartbeat and last synchronisation, with the columns of the API. */
export function syncDepotRows(db: Database) {
  return db
    .selectFrom('computers')
    .leftJoin('depots', 'depots.computer_id', 'computers.id')
    .leftJoinLateral(
      (eb) =>
        eb
          .selectFrom('sync_jobs')
          .select(['started_at', 'status', 'message'])
          .whereRef('sync_jobs.computer_id', '=', 'computers.id')
          .where('started_at', 'is not', null)
          .orderBy('sync_jobs.id', 'desc')
          .limit(1)
          .as('last_job'),
      (join) => join.onTrue(),
    )
    .where('computers.role', '=', 'DepotServer')
    .select([
      'computers.id as clientId',
      'computers.name as hostname',
      'computers.domain',
      heartbeatState('depots').as('heartbeat'),
      'depots.heartbeat_at as lastHeartbeatUtc',
      'depots.version',
      'last_job.started_at as lastRunUtc',
      'depots.next_sync_at as nextRunUtc',
      sql<SyncJobStatus | null>`last_job.status`.as('lastStatus'),
    ])
}
