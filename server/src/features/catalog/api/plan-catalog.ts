import { ok, operation } from '../../../platform/operation.ts'
import { computeCatalogPlan } from '../catalog-plan.ts'
import { CatalogPlan, CatalogRequest } from './schemas.ts'

export const planCatalog = operation({
  id: 'planCatalog',
  route: 'POST /api/catalog/plan',
  summary: 'Preview the effect of a catalog document',
  description:
    'Returns what applyCatalog would add, change and remove, how many computers, groups and configurations each change affects, and what blocks it. Changes nothing.',
  role: 'package.read',
  execution: { kind: 'Read' },
  extension: true,
  body: CatalogRequest,
  returns: ok(CatalogPlan),
  handle: async ({ body, db }) => (await computeCatalogPlan(db, body.catalog, body)).plan,
})
