import { closed, Id, Int32, Type } from '../../../platform/schema.ts'
import { DepotServer } from './synchronisation/schemas.ts'

export const GroupDepotServer = closed(
  {
    priority: {
      ...Int32,
      minimum: 1,
      examples: [1],
      description: 'Position in the failover order; 1 is the primary depot server',
    },
    ...DepotServer.properties,
  },
  { title: 'GroupDepotServer' },
)

const DepotServerIds = Type.Array(Id, {
  maxItems: 50,
  uniqueItems: true,
  examples: [[17]],
  description: 'Client ids of depot servers or of the master server, in failover order; an empty list clears it',
})

export const SetGroupDepotServersRequest = Type.Unsafe<{ depotServers: number[] } | number[]>({
  anyOf: [closed({ depotServers: DepotServerIds }), DepotServerIds],
  examples: [{ depotServers: [17] }],
  title: 'SetGroupDepotServersRequest',
})
