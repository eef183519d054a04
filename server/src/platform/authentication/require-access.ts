import type { AnyOperation } from '../operation.ts'
import type { Access } from '../roles.ts'
import { hasRole, requireRole } from './authenticate.ts'
import type { Principal } from './principals.ts'

/** All that callers need, unless they have the reader role. */
export function requiredRoles({ role, alsoRequires = [] }: AnyOperation): Access[] {
  return [role, ...alsoRequires]
}

/** Throws 403 unless the principal may call the operation. */
export function requireAccess(principal: Principal, operation: AnyOperation): void {
  if (operation.readerRole && hasRole(principal, operation.readerRole)) return
  for (const role of requiredRoles(operation)) requireRole(principal, role)
}
