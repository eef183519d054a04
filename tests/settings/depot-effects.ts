import type { Effects } from './effects-type.ts'

/** The settings of depots. */
export const depotEffects: Effects = {
  setGroupDepotServers: {
    'depotServers[], []':
      'depots/depots-of-computer.test.ts: a computer tries the depots of the nearest group that has a failover list, in the order of the list',
  },
  assignDepotTag: {
    tagId:
      'channels/depot/depot-channel.test.ts: a depot needs all packages while the topology is inactive, and those with its tags or Global while it is active',
  },
  setDepotTopologySetting: {
    isActive:
      'channels/depot/depot-channel.test.ts: a depot needs all packages while the topology is inactive, and those with its tags or Global while it is active',
  },
  triggerSyncJob: {
    'depotClientIds[]':
      'channels/depot/depot-channel.test.ts: a depot gets a triggered job, runs it and reports its result',
  },
}
