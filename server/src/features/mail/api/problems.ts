import { problem } from '../../../platform/problem.ts'

export const mailServerNotFound = problem('MailServerNotFound', 404, 'No mail server is set.')

export const mailPasswordRequired = problem(
  'MailPasswordRequired',
  400,
  'Give the password again: the stored one is only sent to the host, port and user for which it was set.',
)
