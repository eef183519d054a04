import { problem } from '../../../platform/problem.ts'

export const tagNotAssigned = problem('TagNotAssigned', 404, 'The depot does not have this tag.')

export const masterServerNotSynchronised = problem(
  'MasterServer',
  409,
  'The computer is the master server, which has all packages. Only depot servers are synchronised and have a credential.',
)

export const depotCredentialNotFound = problem('DepotCredentialNotFound', 404, 'The depot has no credential.')
