import { documentPath } from '../../../platform/openapi/describe-operation.ts'
import { ok, operation } from '../../../platform/operation.ts'
import { type Access, roles } from '../../../platform/roles.ts'
import { Type } from '../../../platform/schema.ts'
import { RoleOperations } from './schemas.ts'

/** All kinds of access with their descriptions, in the order of the answer. */
const accessDescriptions: Partial<Record<Access, string>> = {
  ...roles,
  'any valid token': 'Every caller with a valid token, with or without roles.',
  'no token': 'Everybody, even without a token.',
}

export const listRoleOperations = operation({
  id: 'listRoleOperations',
  route: 'GET /api/admin/role-operations',
  summary: 'List the operations that each role allows',
  description:
    'Every operation of the API appears under the role that it requires, and under the role of readers that suffices instead. Operations without a role appear under `any valid token` or `no token`.',
  role: 'admin.manage',
  extension: true,
  returns: ok(Type.Array(RoleOperations)),
  async handle({ operations }) {
    return Object.entries(accessDescriptions).map(([role, description]) => ({
      role,
      description,
      operations: operations
        .filter((candidate) => candidate.role === role || candidate.readerRole === role)
        .map((allowed) => ({
          operationId: allowed.id,
          method: allowed.method,
          path: documentPath(allowed),
          summary: allowed.summary,
        })),
    }))
  },
})
