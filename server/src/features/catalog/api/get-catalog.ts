import { ok, operation } from '../../../platform/operation.ts'
import { exportedCatalog } from '../catalog-document.ts'
import { currentCatalog } from '../catalog-state.ts'
import { Catalog } from './schemas.ts'

export const getCatalog = operation({
  id: 'getCatalog',
  route: 'GET /api/catalog',
  summary: 'Export the catalog as the document that would make it',
  role: 'package.read',
  extension: true,
  returns: ok(Catalog),
  handle: async ({ db }) => exportedCatalog(await currentCatalog(db)),
})
