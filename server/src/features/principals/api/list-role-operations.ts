import { documentPath } from '../../../platform/openapi/describe-operation.ts'
import { type Access, ok, operation } from '../../../platform/operation.ts'
import { roles } from '../../../platform/roles.ts'
import { Type } from '../../../platform/schema.ts'
import { RoleOperations } from './schemas.ts'

/** Whoever may call, each with a sentence, in the order in which they are told. */
const callers: Partial<Record<Access, string>> = {
  ...roles,
  'any valid token': 'Whoever has a valid token, with or without roles.',
  'no token': 'Everybody, also without a token.',
}

export const listRoleOperations = operation({
  id: 'listRoleOperations',
  route: 'GET /api/admin/role-operations',
  summary: 'List what each role may call, and what needs no role',
  role: 'admin.manage',
  extension: true,
  returns: ok(Type.Array(RoleOperations)),
  async handle({ services }) {
    const { operations } = services
    return Object.entries(callers).map(([role, description]) => ({
      role,
      description,
      operations: operations
        .filter((candidate) => candidate.role === role)
        .map((allowed) => ({
          operationId: allowed.id,
          method: allowed.method,
          path: documentPath(allowed),
          summary: allowed.summary,
        })),
    }))
  },
})
