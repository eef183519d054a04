import { problem } from '../platform/problem.ts'

export const invalidCredentials = problem('InvalidCredentials', 401, 'The client id or the client secret is wrong.')

export const administratorRequired = problem(
  'AdministratorRequired',
  403,
  'Only principals with the role admin.manage can sign in to these pages.',
)

export const localSignInDisabled = problem(
  'LocalSignInDisabled',
  403,
  'This installation takes no client id and secret here. Sign in with an identity provider.',
)

export const pagesNotBuilt = problem(
  'PagesNotBuilt',
  503,
  'The pages have not been built. Run `npm run build` in the folder of the service and load this page again.',
)
