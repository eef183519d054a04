import { agentSuspended } from './agent-suspended.ts'
import { batteryWear } from './battery-wear.ts'
import { bitlockerOff } from './bitlocker-off.ts'
import { failedDeployment } from './failed-deployment.ts'
import { lowDisk } from './low-disk.ts'
import { missingPatch } from './missing-patch.ts'
import { pendingReboot } from './pending-reboot.ts'
import { softwareDrift } from './software-drift.ts'
import { staleAgent } from './stale-agent.ts'
import { staleDeployment } from './stale-deployment.ts'
import { staleInventory } from './stale-inventory.ts'

/** All issues, in the order in which answers list them. */
export const issues = [
  lowDisk,
  batteryWear,
  bitlockerOff,
  pendingReboot,
  failedDeployment,
  missingPatch,
  staleAgent,
  staleInventory,
  staleDeployment,
  agentSuspended,
  softwareDrift,
] as const

export type IssueName = (typeof issues)[number]['name']

export const issueNames: readonly IssueName[] = issues.map(({ name }) => name)
