import { ok, operation } from '../../../platform/operation.ts'
import { pageOf, paging } from '../../../platform/paging.ts'
import { closed, pagedResultOf } from '../../../platform/schema.ts'
import { deploymentCounts, deploymentsCountedAt } from '../../deployments/package-counts.ts'
import { packageRows } from '../../packages/package-rows.ts'
import { matchesPackageList, packageListFilters } from '../pages/package-list.ts'
import { PackageSummary } from './package-schemas.ts'

export const listFleetPackages = operation({
  id: 'listFleetPackages',
  route: 'GET /api/fleet/packages',
  summary: 'List packages with the number of their deployments',
  description:
    'Ordered by name, then by id. Counts the computers on which each package succeeded, failed or is pending: those of packages with ' +
    'many computers with the fleet, at the time in `deploymentsCountedUtc`. All filters must match.',
  role: 'package.read',
  execution: { kind: 'FleetRead' },
  extension: true,
  query: closed({ ...paging, ...packageListFilters }),
  returns: ok(pagedResultOf(PackageSummary)),
  handle(call) {
    const { db, services, query } = call
    const packages = packageRows(db, services.configuration).select([
      deploymentCounts.as('deployments'),
      deploymentsCountedAt.as('deploymentsCountedUtc'),
    ])
    const keys = db.selectFrom('packages').select(['packages.name', 'packages.id']).where(matchesPackageList(query))
    return pageOf(call, packages, { columns: ['name', 'id'] }, { query: keys, once: false })
  },
})
