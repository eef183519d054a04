import { ok, operation } from '../../../../platform/operation.ts'
import { pageOf, paging } from '../../../../platform/paging.ts'
import { closed, pagedResultOf } from '../../../../platform/schema.ts'
import { syncDepotRows } from '../../sync-depots.ts'
import { SyncDepot } from './schemas.ts'

export const listSyncDepots = operation({
  id: 'listSyncDepots',
  route: 'GET /api/system/sync-jobs/depots',
  summary: 'List the depot servers with their heartbeat and last synchronisation',
  description: 'The master server is not listed, because it is not synchronised.',
  role: 'computer.read',
  query: closed(paging),
  returns: ok(pagedResultOf(SyncDepot)),
  handle: (call) => pageOf(call, syncDepotRows(call.db), { columns: ['clientId'] }),
})
