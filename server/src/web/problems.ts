import { problem } from '../platform/problem.ts'

export const invalidCredentials = problem(
  'InvalidCredentials',
  401,
  'Wrong client ID or secret, or the principal is revoked or expired.',
)

export const roleRequired = problem(
  'RoleRequired',
  403,
  'The principal has no role. An administrator must assign one before it can sign in to the console.',
)

export const signInLinkInvalid = problem(
  'SignInLinkInvalid',
  401,
  'The sign-in link was used before, is more than ten minutes old, or its principal cannot sign in.',
)

export const signInLinkNotLocal = problem(
  'SignInLinkNotLocal',
  403,
  'Without TLS of the service, sign-in links work only in a browser on its machine, without a proxy.',
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
