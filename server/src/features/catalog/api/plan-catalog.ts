import { forbidden } from '../../../platform/general-problems.ts'
import { ok, operation } from '../../../platform/operation.ts'
import { computeCatalogPlan } from '../catalog-plan.ts'
import { requireSectionRoles } from '../section-roles.ts'
import { CatalogPlan, CatalogRequest } from './schemas.ts'

export const planCatalog = operation({
  id: 'planCatalog',
  route: 'POST /api/catalog/plan',
  summary: 'Preview the effect of a catalog document',
  description:
    'Returns what applyCatalog would add, change and remove, how many computers, groups and configurations each change affects, and what blocks it. Changes nothing. The section `computerRoles` requires `computer.read`.',
  role: 'package.read',
  execution: { kind: 'Read' },
  extension: true,
  body: CatalogRequest,
  returns: ok(CatalogPlan),
  problems: [forbidden],
  async handle({ body, db, caller }) {
    requireSectionRoles(caller.principal, body.catalog)
    return (await computeCatalogPlan(db, body.catalog, body)).plan
  },
})
