import { ok, operation } from '../../../platform/operation.ts'
import { roles } from '../../../platform/roles.ts'
import { Type } from '../../../platform/schema.ts'
import { RoleDto } from './schemas.ts'

export const listRoles = operation({
  id: 'listRoles',
  route: 'GET /api/admin/roles',
  summary: 'List all roles',
  description: 'No role includes another: a principal needs every role that its operations require.',
  role: 'admin.manage',
  returns: ok(Type.Array(RoleDto)),
  handle: async () => Object.entries(roles).map(([role, description]) => ({ role, description })),
})
