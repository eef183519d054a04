import type { EventType } from './event-type.ts'
import { administrationEvents } from './types/administration.ts'
import { approvalEvents } from './types/approvals.ts'
import { computerEvents } from './types/computers.ts'
import { deploymentEvents } from './types/deployments.ts'
import { depotEvents } from './types/depots.ts'
import { groupEvents } from './types/groups.ts'
import { inventoryEvents } from './types/inventory.ts'
import { issueEvents } from './types/issues.ts'
import { packageEvents } from './types/packages.ts'
import { patchEvents } from './types/patches.ts'
import { rolloutEvents } from './types/rollouts.ts'
import { selfServiceEvents } from './types/self-service.ts'
import { vulnerabilityEvents } from './types/vulnerabilities.ts'
import { workEvents } from './types/work.ts'

/** All types of events, in the order in which documents list them. */
export const eventTypes: readonly EventType[] = [
  ...computerEvents,
  ...inventoryEvents,
  ...issueEvents,
  ...deploymentEvents,
  ...depotEvents,
  ...workEvents,
  ...selfServiceEvents,
  ...rolloutEvents,
  ...groupEvents,
  ...packageEvents,
  ...patchEvents,
  ...vulnerabilityEvents,
  ...administrationEvents,
  ...approvalEvents,
]
