import { hasRole } from '../../../platform/authentication/authenticate.ts'
import { ok, operation } from '../../../platform/operation.ts'
import { toCatalogDocument } from '../catalog-document.ts'
import { loadCatalogState } from '../catalog-state.ts'
import { Catalog } from './schemas.ts'

export const getCatalog = operation({
  id: 'getCatalog',
  route: 'GET /api/catalog',
  summary: 'Export the catalog',
  description:
    'Returns the document that applyCatalog would need to recreate the current catalog. Without `computer.read`, it has no section `computerRoles`.',
  role: 'package.read',
  extension: true,
  returns: ok(Catalog),
  async handle({ db, caller }) {
    const document = toCatalogDocument(await loadCatalogState(db))
    if (hasRole(caller.principal, 'computer.read')) return document
    const { computerRoles: _, ...others } = document
    return others
  },
})
