import { problem } from '../../platform/problem.ts'

export const deviceNotAdmitted = problem(
  'EnrolmentTokenInvalid',
  401,
  'The secret in the address is unknown, expired, revoked or used up, or the certificate is not the one of this agent.',
)

export const unreadableMessage = problem('UnreadableMessage', 400, 'The message cannot be read.')

export const busy = problem('Busy', 503, 'Too many messages are waiting to be read. Try again soon.')

export const fullInventoryNeeded = problem(
  'FullInventoryNeeded',
  400,
  'A previous inventory is missing. The next run of the agent sends a full one; a service runs again in a minute.',
)

export const duplicateIdentity = problem(
  'DuplicateIdentity',
  409,
  'Two computers have the same agent id and the same name. Rename one of them and give its agent a new id.',
)

export const noIdentity = problem(
  'NoIdentity',
  422,
  'The inventory does not identify the computer. It needs a name, and a UUID or a MAC address that is no placeholder: many ' +
    'computers share those of containers and of networks within a host.',
)

export const inQuarantine = problem(
  'AgentQuarantined',
  403,
  'The inventory resembles an existing computer, but does not prove to come from it. An administrator must confirm the agent.',
)

export const notOffered = problem('NotOffered', 501, 'This service does not support the requested task.')

export const deviceUnknown = problem(
  'DeviceUnknown',
  401,
  'This address belongs to another agent, has expired, or is no longer valid.',
)
