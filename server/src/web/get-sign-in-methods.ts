import { AdminFeatures } from '../features/principals/api/schemas.ts'
import { toSignInMethods } from '../features/principals/sign-in-methods.ts'
import { ok, operation } from '../platform/operation.ts'

export const getSignInMethods = operation({
  id: 'getSignInMethods',
  route: 'GET /admin/features',
  summary: 'Get which sign-in methods are available',
  role: 'no token',
  returns: ok(AdminFeatures),
  handle: async ({ services }) => toSignInMethods(services.configuration),
})
