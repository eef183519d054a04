import { AdminFeatures } from '../features/principals/api/schemas.ts'
import { signInMethods } from '../features/principals/sign-in-methods.ts'
import { ok, operation } from '../platform/operation.ts'

export const getSignInMethods = operation({
  id: 'getSignInMethods',
  route: 'GET /admin/features',
  summary: 'Read which ways to sign in are offered, before signing in',
  role: 'no token',
  returns: ok(AdminFeatures),
  handle: async ({ services }) => signInMethods(services.configuration),
})
