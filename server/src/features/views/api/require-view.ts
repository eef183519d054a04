import type { Database } from '../../../database/connect.ts'
import { requireRole } from '../../../platform/authentication/authenticate.ts'
import type { Principal } from '../../../platform/authentication/principals.ts'
import type { Role } from '../../../platform/roles.ts'
import { viewRows } from '../view-rows.ts'
import { foreignView, viewNotFound } from './problems.ts'

export async function requireView(db: Database, principal: Principal, id: string) {
  const view = await viewRows(db, principal).where('saved_views.id', '=', id).executeTakeFirst()
  if (!view) throw viewNotFound({ viewId: id })
  return view
}

export async function requireChangeableView(db: Database, principal: Principal, id: string) {
  const view = await requireView(db, principal, id)
  if (!view.mayChange) throw foreignView({ viewId: id })
  return view
}

/** Nobody puts a name before people with other roles, except administrators. Throws 403. */
export function requireSharing(principal: Principal, roles: readonly Role[]): void {
  if (principal.roles.has('admin.manage')) return
  for (const role of roles) requireRole(principal, role)
}
