import { ok, operation } from '../../../platform/operation.ts'
import { signInMethods } from '../sign-in-methods.ts'
import { AdminFeatures } from './schemas.ts'

export const getAdminFeatures = operation({
  id: 'getAdminFeatures',
  route: 'GET /api/admin/features',
  summary: 'Read which ways to sign in are offered',
  role: 'admin.manage',
  returns: ok(AdminFeatures),
  handle: async ({ services }) => signInMethods(services.configuration),
})
