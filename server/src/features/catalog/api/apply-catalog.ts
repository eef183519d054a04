import { sql } from 'kysely'
import { requireRole } from '../../../platform/authentication/authenticate.ts'
import { forbidden } from '../../../platform/general-problems.ts'
import { ok, operation } from '../../../platform/operation.ts'
import { applyCatalogDifferences } from '../apply-differences.ts'
import { computeCatalogPlan } from '../catalog-plan.ts'
import { requireSectionRoles } from '../section-roles.ts'
import { planCatalog } from './plan-catalog.ts'
import { anotherMasterServer, catalogObjectInUse } from './problems.ts'
import { CatalogPlan, CatalogRequest } from './schemas.ts'

export const applyCatalog = operation({
  id: 'applyCatalog',
  route: 'POST /api/catalog/apply',
  summary: 'Apply a catalog document',
  description:
    'Applies the whole document in one transaction, or nothing. Objects are matched by name, regardless of case. Sections that are missing are not touched, and objects that a section does not list are removed only with `removeMissing`. Answers 409 and lists the blockers if an object is still in use. The section `computerRoles` requires `computer.read`, and each change of it `admin.manage`. A computer whose role changes loses its credential as a depot. Use planCatalog for a preview.',
  role: 'package.write',
  // Templates, classes and variables may concern any computer.
  massAction: { computers: () => sql`select id as computer_id from computers` },
  extension: true,
  body: CatalogRequest,
  returns: ok(CatalogPlan),
  problems: [forbidden, catalogObjectInUse, anotherMasterServer],
  shows: planCatalog,
  async handle({ body, db, caller }) {
    requireSectionRoles(caller.principal, body.catalog)
    // Serialises catalog changes and blocks new values and assignments: what the plan finds unused stays unused.
    await sql`lock table variable_definitions, variable_configurations, software_classes in exclusive mode`.execute(db)
    const { plan, differences } = await computeCatalogPlan(db, body.catalog, body)
    if (plan.changes.some(({ section }) => section === 'computerRoles')) requireRole(caller.principal, 'admin.manage')
    const blocked = plan.changes.filter(({ blockers }) => blockers.length > 0)
    if (blocked.length > 0)
      throw catalogObjectInUse({
        blockers: blocked.map(({ section, name, action, blockers }) => ({ section, name, action, blockers })),
      })
    await applyCatalogDifferences(db, differences)
    return { ...plan, isApplied: true }
  },
})
