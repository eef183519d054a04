import { problem } from '../../platform/problem.ts'

export const notLetIn = problem(
  'EnrolmentTokenInvalid',
  401,
  'The secret in the address is unknown, expired, revoked or used up, or the certificate is another one.',
)

export const unreadableMessage = problem('UnreadableMessage', 400, 'The message cannot be read.')

export const busy = problem('Busy', 503, 'Too many messages wait to be read. Try again soon.')

export const fullInventoryNeeded = problem(
  'FullInventoryNeeded',
  400,
  'An inventory is missing. The agent is to send a whole one.',
)

export const sameName = problem(
  'DuplicateIdentity',
  409,
  'Two computers have the same agent and the same name. Give one of them another name, and its agent a new id.',
)

export const noIdentity = problem(
  'NoIdentity',
  422,
  'Neither a name with a UUID nor one with a MAC address tells which computer it is.',
)

export const notOffered = problem('NotOffered', 501, 'This service does not do that.')

export const deviceUnknown = problem('DeviceUnknown', 401, 'This address was not given to the agent that asks.')
