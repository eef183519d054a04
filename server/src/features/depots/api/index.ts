import type { AnyOperation } from '../../../platform/operation.ts'
import { assignDepotTag } from './assign-depot-tag.ts'
import { createDepotCredential } from './create-depot-credential.ts'
import { deleteDepotCredential } from './delete-depot-credential.ts'
import { getGroupDepotServers } from './get-group-depot-servers.ts'
import { listComputerTags } from './list-computer-tags.ts'
import { listDepotTags } from './list-depot-tags.ts'
import { listDepots } from './list-depots.ts'
import { removeDepotTag } from './remove-depot-tag.ts'
import { setComputerTags } from './set-computer-tags.ts'
import { setGroupDepotServers } from './set-group-depot-servers.ts'
import { getDepotTopologySetting } from './synchronisation/get-depot-topology-setting.ts'
import { listDepotServers } from './synchronisation/list-depot-servers.ts'
import { listSyncDepots } from './synchronisation/list-sync-depots.ts'
import { listSyncJobs } from './synchronisation/list-sync-jobs.ts'
import { setDepotTopologySetting } from './synchronisation/set-depot-topology-setting.ts'
import { triggerSyncJob } from './synchronisation/trigger-sync-job.ts'

/**
 * What the service knows about depots: which computers are depots, their tags, credentials and synchronisation jobs, and
 * which depots a group uses. Also the tags of other computers. The depots call the service through `channels/depot`; the program that runs on a depot is
 * `depot-server`.
 */
export const depotsApi: readonly AnyOperation[] = [
  getGroupDepotServers,
  setGroupDepotServers,
  listDepots,
  listDepotTags,
  assignDepotTag,
  removeDepotTag,
  listComputerTags,
  setComputerTags,
  createDepotCredential,
  deleteDepotCredential,
  listDepotServers,
  getDepotTopologySetting,
  setDepotTopologySetting,
  listSyncJobs,
  triggerSyncJob,
  listSyncDepots,
]
