import type { DocumentedChannel } from '../platform/openapi/channel.ts'
import { agentChannel } from './agent/index.ts'
import { depotChannel } from './depot/index.ts'

/** The channels for machines that have an OpenAPI document of their own. */
export const machineChannels: readonly DocumentedChannel[] = [depotChannel, agentChannel]
