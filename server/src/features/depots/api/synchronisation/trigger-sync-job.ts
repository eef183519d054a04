import { sql } from 'kysely'
import type { Database } from '../../../../database/connect.ts'
import { accepted, operation } from '../../../../platform/operation.ts'
import { invalidPart } from '../../../../platform/validation.ts'
import { syncJobRows } from '../../sync-jobs.ts'
import { SyncJobsTriggered, TriggerSyncJobRequest } from './schemas.ts'

export const triggerSyncJob = operation({
  id: 'triggerSyncJob',
  route: 'POST /api/system/sync-jobs',
  summary: 'Synchronise depots now',
  description:
    'Creates a job for each depot server, which starts at its next heartbeat, outside its schedule. A depot with a ' +
    'waiting job gets no second one; the answer contains the waiting job instead.',
  role: 'activation.execute',
  body: TriggerSyncJobRequest,
  bodyOptional: true,
  returns: accepted(SyncJobsTriggered),
  async handle({ body, db }) {
    const depots = await listDepotsToSync(db, body?.depotClientIds)
    await sql`
      insert into sync_jobs (computer_id, trigger)
      select id, 'Manual' from unnest(${depots}::integer[]) as id order by id
      on conflict (computer_id) where status = 'Pending' do nothing`.execute(db)
    const jobs = await syncJobRows(db)
      .where('sync_jobs.status', '=', 'Pending')
      .where('sync_jobs.computer_id', 'in', sql<number>`(select unnest(${depots}::integer[]))`)
      .orderBy('sync_jobs.computer_id')
      .execute()
    return { jobs }
  },
})

async function listDepotsToSync(db: Database, wanted: number[] | null | undefined): Promise<number[]> {
  const found = await db
    .selectFrom('computers')
    .select('id')
    .where('role', '=', 'DepotServer')
    .$if(wanted != null, (query) => query.where('id', 'in', wanted ?? []))
    .forShare()
    .execute()
  const ids = new Set(found.map(({ id }) => id))
  const invalidIndex = (wanted ?? []).findIndex((id) => !ids.has(id))
  if (invalidIndex >= 0)
    throw invalidPart('body', `depotClientIds.${invalidIndex}`, 'is not the client id of a depot server')
  return [...ids]
}
