import { computerNotFound } from '../../features/computers/computers.ts'
import { startSyncJob } from '../../features/depots/sync-runs.ts'
import { ok, operation } from '../../platform/operation.ts'
import { closed, Uuid } from '../../platform/schema.ts'

export const beginSync = operation({
  id: 'beginSync',
  route: 'POST /depot/v1/sync-jobs',
  summary: 'Start a synchronisation',
  description:
    'Starts the job that an operator has triggered, or a scheduled job when none is pending. A job of the depot that is still running fails: it was interrupted. The service keeps the last 100 jobs of a depot.',
  role: 'machine',
  returns: ok(closed({ jobId: { ...Uuid, description: 'Id of the job; endSync needs it' } })),
  problems: [computerNotFound],
  handle: async ({ db, machine }) => ({ jobId: await startSyncJob(db, machine.clientId) }),
})
