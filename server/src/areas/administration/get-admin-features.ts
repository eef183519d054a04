import { ok, operation } from '../../platform/operation.ts'
import { AdminFeatures } from './schemas.ts'

export const getAdminFeatures = operation({
  id: 'getAdminFeatures',
  route: 'GET /api/admin/features',
  summary: 'Read which ways to sign in are offered',
  role: 'admin.manage',
  returns: ok(AdminFeatures),
  // This version takes no identity provider in its configuration: local principals are the only way in.
  handle: async () => ({ idpEnabled: false, localAdminEnabled: true, oidcLoginProviders: [] }),
})
