import { ok, operation } from '../../../../platform/operation.ts'
import { pageOf, paging } from '../../../../platform/paging.ts'
import { closed, pagedResultOf } from '../../../../platform/schema.ts'
import { syncJobRows } from '../../sync-jobs.ts'
import { SyncJob } from './schemas.ts'

export const listSyncJobs = operation({
  id: 'listSyncJobs',
  route: 'GET /api/system/sync-jobs',
  summary: 'List the synchronisation jobs of depots, newest first',
  description: 'Contains jobs that are waiting for the next heartbeat of their depot, running jobs and past jobs.',
  role: 'computer.read',
  query: closed(paging),
  returns: ok(pagedResultOf(SyncJob)),
  handle: (call) => pageOf(call, syncJobRows(call.db), { columns: ['id'], descending: true }),
})
