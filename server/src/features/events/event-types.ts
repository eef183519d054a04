import type { EventType } from './event-type.ts'
import { administrationEvents } from './types/administration.ts'
import { approvalEvents } from './types/approvals.ts'
import { computerEvents } from './types/computers.ts'
import { configurationEvents } from './types/configuration.ts'
import { rolloutEvents } from './types/rollouts.ts'
import { workEvents } from './types/work.ts'

/** All types of events, in the order in which documents list them. */
export const eventTypes: readonly EventType[] = [
  ...computerEvents,
  ...workEvents,
  ...rolloutEvents,
  ...configurationEvents,
  ...administrationEvents,
  ...approvalEvents,
]
