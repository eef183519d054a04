import { ok, operation } from '../../../platform/operation.ts'
import { toCatalogDocument } from '../catalog-document.ts'
import { loadCatalogState } from '../catalog-state.ts'
import { Catalog } from './schemas.ts'

export const getCatalog = operation({
  id: 'getCatalog',
  route: 'GET /api/catalog',
  summary: 'Export the catalog',
  description: 'Returns the document that applyCatalog would need to recreate the current catalog.',
  role: 'package.read',
  extension: true,
  returns: ok(Catalog),
  handle: async ({ db }) => toCatalogDocument(await loadCatalogState(db)),
})
