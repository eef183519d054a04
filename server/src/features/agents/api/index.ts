import type { AnyOperation } from '../../../platform/operation.ts'
import { getRebootStatus } from './get-reboot-status.ts'
import { getUemAgent } from './get-uem-agent.ts'

export const agentsApi: readonly AnyOperation[] = [getUemAgent, getRebootStatus]
