import { ok, operation } from '../../../platform/operation.ts'
import { toSignInMethods } from '../sign-in-methods.ts'
import { AdminFeatures } from './schemas.ts'

export const getAdminFeatures = operation({
  id: 'getAdminFeatures',
  route: 'GET /api/admin/features',
  summary: 'Get which sign-in methods are available',
  description:
    'Lists the configured identity providers, and whether local principals can sign in with client id and secret.',
  role: 'admin.manage',
  returns: ok(AdminFeatures),
  handle: async ({ services }) => toSignInMethods(services.configuration),
})
