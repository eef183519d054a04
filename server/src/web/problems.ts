import { problem } from '../platform/problem.ts'

export const invalidCredentials = problem(
  'InvalidCredentials',
  401,
  'Wrong client ID or secret, or the principal is revoked or expired.',
)

export const administratorRequired = problem(
  'AdministratorRequired',
  403,
  'Only principals with the role admin.manage can sign in to the console.',
)

export const localSignInDisabled = problem(
  'LocalSignInDisabled',
  403,
  'Sign-in with client ID and secret is disabled. Sign in with an identity provider.',
)

export const consoleNotBuilt = problem(
  'PagesNotBuilt',
  503,
  'The console has not been built. Run `npm run build` in the folder of the service and reload this page.',
)
