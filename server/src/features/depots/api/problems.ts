import { problem } from '../../../platform/problem.ts'

export const tagNotAssigned = problem('TagNotAssigned', 404, 'The depot does not have this tag.')

export const masterServer = problem(
  'MasterServer',
  409,
  'The master server has all packages. Only depot servers are synchronised with it.',
)

export const depotCredentialNotFound = problem('DepotCredentialNotFound', 404, 'The depot has no credential.')
