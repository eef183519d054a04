import { requireRole } from '../../platform/authentication/authenticate.ts'
import type { Principal } from '../../platform/authentication/principals.ts'
import type { Catalog } from './api/schemas.ts'

/** Who plans or applies roles of computers learns which computers exist. The other sections are about packages and variables. */
export function requireSectionRoles(principal: Principal, { computerRoles }: Catalog): void {
  if (computerRoles) requireRole(principal, 'computer.read')
}
