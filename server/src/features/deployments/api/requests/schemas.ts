import {
  closed,
  enumOf,
  extensionKeyword,
  Id,
  Instant,
  Int32,
  nullable,
  Type,
  text,
  Uuid,
} from '../../../../platform/schema.ts'
import { UserDeadline } from '../../../distribution/api/user-deadline-schemas.ts'

export const ReinstallRequest = closed({ packageId: Uuid }, { title: 'ReinstallRequest' })

const cancelled = {
  reinstallGroupId: { ...Uuid, description: 'The group that was created for the reinstall' },
  parentGroupId: { ...Uuid, description: 'The group with the assignment of the package or of its software class' },
  parentGroupName: Type.String({ examples: ['Workstations'] }),
}

/** Beyond the contract so that the caller can follow the request. */
export const trackingId = { ...Uuid, description: 'Task of the request', [extensionKeyword]: true }

const pending = {
  ...cancelled,
  softwareId: { ...Uuid, description: 'Id of the package' },
  softwareName: nullable(text(255, 'Greeting')),
  requestedAtUtc: nullable(Instant),
  trackingId,
}

export const ReinstallTriggered = closed(pending, { title: 'ReinstallTriggered' })

export const ReinstallGroup = closed(pending, { title: 'ReinstallGroup' })

export const CancelledReinstallGroup = closed(cancelled, { title: 'CancelledReinstallGroup' })

export const RescanRequest = closed(
  { scanType: enumOf(['Inventory', 'Patch'], { title: 'ScanType' }) },
  { title: 'RescanRequest' },
)

export const RescanTriggered = closed(
  {
    ...pending,
    alreadyPending: Type.Boolean({ examples: [false], description: 'True if the scan was already requested' }),
  },
  { title: 'RescanTriggered' },
)

const timeoutMinutes = {
  ...Int32,
  minimum: -1,
  examples: [30],
  description:
    'Minutes that a logged-on user has before the reboot is forced; -1: reboot at the next contact of the agent',
}

const reminderMinutes = { ...Int32, minimum: 0, examples: [10], description: 'Minutes between reminders to the user' }

export const RebootRequest = closed(
  {
    timeoutMinutes: Type.Optional(nullable(timeoutMinutes)),
    reminderMinutes: Type.Optional(nullable(reminderMinutes)),
    userDeadline: Type.Optional(nullable(UserDeadline)),
  },
  { title: 'RebootRequest', description: 'Omitted or null values default to -1 and 10.' },
)

export const RebootRequested = closed(
  { clientId: Id, timeoutMinutes, reminderMinutes, trackingId },
  { title: 'RebootRequested' },
)
