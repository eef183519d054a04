import { closed, Id, Int32, nullable, Type, text } from '../../../platform/schema.ts'
import { Tag } from '../../tags/api/schemas.ts'
import { DepotServer, SyncDepot } from './synchronisation/schemas.ts'

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

export const Depot = closed(
  {
    ...SyncDepot.properties,
    lastResult: {
      ...nullable(text(1000, '3 packages are up to date.')),
      description: 'The message of the last synchronisation',
    },
    isSyncWaiting: Type.Boolean({
      examples: [false],
      description: 'Whether a synchronisation starts at the next heartbeat',
    }),
    hasCredential: Type.Boolean({ examples: [true], description: 'Whether the depot can authenticate' }),
    tags: Type.Array(Tag, {
      description: 'Select the packages of the depot while the depot topology setting is active',
    }),
  },
  { title: 'Depot' },
)
