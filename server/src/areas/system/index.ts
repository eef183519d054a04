import type { Area } from '../../platform/operation.ts'
import { getDepotTopologySetting } from './get-depot-topology-setting.ts'
import { getSystem } from './get-system.ts'
import { listDepotServers } from './list-depot-servers.ts'
import { listSyncDepots } from './list-sync-depots.ts'
import { listSyncJobs } from './list-sync-jobs.ts'
import { setDepotTopologySetting } from './set-depot-topology-setting.ts'
import { triggerSyncJob } from './trigger-sync-job.ts'

export const system: Area = {
  name: 'System',
  description: 'Versions, depot servers and how packages reach them.',
  operations: [
    getSystem,
    listDepotServers,
    getDepotTopologySetting,
    setDepotTopologySetting,
    listSyncJobs,
    triggerSyncJob,
    listSyncDepots,
  ],
}
