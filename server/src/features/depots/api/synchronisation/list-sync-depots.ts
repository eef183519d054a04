import { sql } from 'kysely'
import { ok, operation } from '../../../../platform/operation.ts'
import { pageOf, paging } from '../../../../platform/paging.ts'
import { closed, pagedResultOf } from '../../../../platform/schema.ts'
import { isDepotOnline } from '../../depot-servers.ts'
import type { SyncJobStatus } from '../../sync-jobs.ts'
import { SyncDepot } from './schemas.ts'

type Heartbeat = 'online' | 'offline' | 'pending' | 'unknown'

/** The state of the heartbeat. Takes the alias of `depots`. */
const heartbeatState = (depots: string) => sql<Heartbeat>`case
  when ${isDepotOnline(depots)} then 'online'
  when ${sql.ref(`${depots}.heartbeat_at`)} is not null then 'offline'
  when ${sql.ref(`${depots}.secret_hash`)} is not null then 'pending'
  else 'unknown'
end`

export const listSyncDepots = operation({
  id: 'listSyncDepots',
  route: 'GET /api/system/sync-jobs/depots',
  summary: 'List the depot servers with their heartbeat and last synchronisation',
  description: 'The master server is not listed, because it is not synchronised.',
  role: 'computer.read',
  query: closed(paging),
  returns: ok(pagedResultOf(SyncDepot)),
  handle(call) {
    const rows = call.db
      .selectFrom('computers')
      .leftJoin('depots', 'depots.computer_id', 'computers.id')
      .leftJoinLateral(
        (eb) =>
          eb
            .selectFrom('sync_jobs')
            .select(['started_at', 'status'])
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
    return pageOf(call, rows, { columns: ['clientId'] })
  },
})
