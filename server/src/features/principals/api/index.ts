import type { AnyOperation } from '../../../platform/operation.ts'
import { createLocalPrincipal } from './create-local-principal.ts'
import { createLocalPrincipalSecret } from './create-local-principal-secret.ts'
import { deleteLocalPrincipal } from './delete-local-principal.ts'
import { deleteLocalPrincipalSecret } from './delete-local-principal-secret.ts'
import { deletePrincipal } from './delete-principal.ts'
import { getAdminFeatures } from './get-admin-features.ts'
import { getLocalPrincipal } from './get-local-principal.ts'
import { getPrincipal } from './get-principal.ts'
import { listLocalPrincipalSecrets } from './list-local-principal-secrets.ts'
import { listLocalPrincipals } from './list-local-principals.ts'
import { listPrincipals } from './list-principals.ts'
import { listRoleOperations } from './list-role-operations.ts'
import { listRoles } from './list-roles.ts'
import { setLocalPrincipalRevoked } from './set-local-principal-revoked.ts'
import { listSignInProviders } from './token/list-sign-in-providers.ts'
import { requestToken } from './token/request-token.ts'
import { updateLocalPrincipal } from './update-local-principal.ts'
import { updatePrincipal } from './update-principal.ts'
import { upsertPrincipal } from './upsert-principal.ts'

export const principalsApi: readonly AnyOperation[] = [
  requestToken,
  listSignInProviders,
  listPrincipals,
  upsertPrincipal,
  getPrincipal,
  updatePrincipal,
  deletePrincipal,
  listLocalPrincipals,
  createLocalPrincipal,
  getLocalPrincipal,
  updateLocalPrincipal,
  deleteLocalPrincipal,
  setLocalPrincipalRevoked,
  listLocalPrincipalSecrets,
  createLocalPrincipalSecret,
  deleteLocalPrincipalSecret,
  listRoles,
  listRoleOperations,
  getAdminFeatures,
]
