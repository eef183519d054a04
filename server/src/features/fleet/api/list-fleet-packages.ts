import { sql } from 'kysely'
import { ok, operation } from '../../../platform/operation.ts'
import { pageOf, paging } from '../../../platform/paging.ts'
import { closed, pagedResultOf } from '../../../platform/schema.ts'
import { packageRows } from '../../packages/package-rows.ts'
import { PackageSummary } from './page-schemas.ts'

type Counts = { success: number; failed: number; pending: number }

const deploymentCounts = sql<Counts>`(
  select jsonb_build_object('success', count(*) filter (where deployment.status = 'Success'),
    'failed', count(*) filter (where deployment.status = 'Failed'),
    'pending', count(*) filter (where deployment.status = 'Pending'))
  from deployments deployment where deployment.package_id = packages.id)`

export const listFleetPackages = operation({
  id: 'listFleetPackages',
  route: 'GET /api/fleet/packages',
  summary: 'List packages with the number of their deployments',
  description:
    'Ordered by name, then by id. Counts the computers on which each package succeeded, failed or is pending.',
  role: 'package.read',
  fleetWide: true,
  extension: true,
  query: closed(paging),
  returns: ok(pagedResultOf(PackageSummary)),
  handle(call) {
    const { db, services } = call
    const packages = packageRows(db, services.configuration).select(deploymentCounts.as('deployments'))
    const keys = db.selectFrom('packages').select(['packages.name', 'packages.id'])
    return pageOf(call, packages, { columns: ['name', 'id'] }, { query: keys, once: false })
  },
})
