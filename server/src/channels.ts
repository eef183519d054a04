import { agentChannel } from './agents/index.ts'
import { depotChannel } from './depot-channel/index.ts'
import type { Channel } from './platform/openapi/channel.ts'

/** The channels for machines, beside the API itself. */
export const machineChannels: readonly Channel[] = [depotChannel, agentChannel]
