import { AdminFeatures } from '../areas/administration/schemas.ts'
import { signInWays } from '../domain/sign-in-ways.ts'
import { ok, operation } from '../platform/operation.ts'

export const getSignInWays = operation({
  id: 'getSignInWays',
  route: 'GET /admin/features',
  summary: 'Read which ways to sign in are offered, before signing in',
  role: 'no token',
  returns: ok(AdminFeatures),
  handle: async ({ services }) => signInWays(services.configuration),
})
