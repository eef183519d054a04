import { sql } from 'kysely'
import { ok, operation } from '../../../platform/operation.ts'
import { applyDifferences } from '../apply-differences.ts'
import { planCatalog } from '../catalog-plan.ts'
import { anotherMasterServer, catalogObjectInUse } from './problems.ts'
import { CatalogPlan, CatalogRequest } from './schemas.ts'

export const applyCatalog = operation({
  id: 'applyCatalog',
  route: 'POST /api/catalog/apply',
  summary: 'Apply a catalog document as a whole, or not at all',
  role: 'package.write',
  extension: true,
  body: CatalogRequest,
  returns: ok(CatalogPlan),
  problems: [catalogObjectInUse, anotherMasterServer],
  async handle({ body, db }) {
    // One catalog at a time, and no new values while the plan is looked at: what it found unused stays so.
    await sql`lock table variable_definitions, variable_configurations, software_classes in exclusive mode`.execute(db)
    const { plan, differences } = await planCatalog(db, body.catalog, body.removeMissing ?? false)
    const blocked = plan.changes.filter(({ blockers }) => blockers.length > 0)
    if (blocked.length > 0)
      throw catalogObjectInUse({
        blockers: blocked.map(({ section, name, action, blockers }) => ({ section, name, action, blockers })),
      })
    await applyDifferences(db, differences)
    return { ...plan, isApplied: true }
  },
})
