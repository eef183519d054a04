import { AdminFeatures } from '../features/principals/api/schemas.ts'
import { signInWays } from '../features/principals/sign-in-methods.ts'
import { ok, operation } from '../platform/operation.ts'

export const getSignInWays = operation({
  id: 'getSignInWays',
  route: 'GET /admin/features',
  summary: 'Read which ways to sign in are offered, before signing in',
  role: 'no token',
  returns: ok(AdminFeatures),
  handle: async ({ services }) => signInWays(services.configuration),
})
