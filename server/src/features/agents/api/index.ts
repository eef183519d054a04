import type { AnyOperation } from '../../../platform/operation.ts'
import { getComputerHealth } from './get-computer-health.ts'
import { getRebootStatus } from './get-reboot-status.ts'
import { getUemAgent } from './get-uem-agent.ts'

export const agentsApi: readonly AnyOperation[] = [getUemAgent, getComputerHealth, getRebootStatus]
