import { ok, operation } from '../../../platform/operation.ts'
import { planCatalog as plan } from '../catalog-plan.ts'
import { CatalogPlan, CatalogRequest } from './schemas.ts'

export const planCatalog = operation({
  id: 'planCatalog',
  route: 'POST /api/catalog/plan',
  summary: 'See what applying a catalog document would add, change and remove',
  role: 'package.read',
  readonly: true,
  extension: true,
  body: CatalogRequest,
  returns: ok(CatalogPlan),
  handle: async ({ body, db }) => (await plan(db, body.catalog, body.removeMissing ?? false)).plan,
})
