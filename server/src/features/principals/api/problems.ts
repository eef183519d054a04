import { problem } from '../../../platform/problem.ts'

export const principalNotFound = problem('PrincipalNotFound', 404, 'No principal of this kind has this id.')

export const protectedPrincipal = problem(
  'Protected',
  409,
  'The principal is protected. Repeat the request with force=true to delete it.',
)

export const duplicatePrincipal = problem(
  'DuplicatePrincipal',
  409,
  'Another principal has this subject type, subject id and issuer.',
  { constraint: 'identity_principals_subject_key' },
)
