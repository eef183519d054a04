import { type RawBuilder, sql } from 'kysely'
import { timeAsJson } from '../../../database/sql-time.ts'
import { ok, operation } from '../../../platform/operation.ts'
import { pageOf, paging } from '../../../platform/paging.ts'
import { closed, Int32, pagedResultOf, type Static, Type } from '../../../platform/schema.ts'
import { fleetFilters, fleetScope } from '../../computers/fleet-filter.ts'
import { failedDeployment, packageFilters } from '../failed-deployment.ts'
import { type SharedFailureDevice, SharedPackageFailure } from './schemas.ts'

const mostDevices = 500

export const listSharedPackageFailures = operation({
  id: 'listSharedPackageFailures',
  route: 'GET /api/computer/issues/shared-package-failure',
  summary: 'List packages that fail on several computers at once',
  description: 'The filters narrow the computers, so that the counts are of those that pass.',
  role: 'computer.read',
  fleetWide: true,
  query: closed({
    ...paging,
    ...fleetFilters,
    minAffectedCount: Type.Optional({
      ...Int32,
      minimum: 1,
      default: 2,
      examples: [2],
      description: 'Only packages that fail on so many computers',
    }),
    softwareId: packageFilters.softwareId,
    includeDevices: Type.Optional(
      Type.Boolean({ default: false, examples: [false], description: 'List the computers with each package' }),
    ),
  }),
  returns: ok(pagedResultOf(SharedPackageFailure)),
  handle(call) {
    const { query, db } = call
    const { softwareId, minAffectedCount = 2, includeDevices = false } = query
    const scope = fleetScope(query)
    const failing = sql`(${failedDeployment.findings(softwareId ? { softwareId } : {})}) as found
      where ${scope ? sql`found.computer_id in (${scope})` : sql`true`}`
    const shared = sql<string>`(
      select found.package_id from ${failing} group by found.package_id having count(*) >= ${minAffectedCount})`
    return pageOf(
      call,
      db
        .selectFrom('packages')
        .select([
          'packages.id as softwareId',
          'packages.name as packageName',
          sql<number>`(select count(*)::integer from ${failing} and found.package_id = packages.id)`.as(
            'affectedDeviceCount',
          ),
          (includeDevices ? devicesOf(failing) : sql<Device[]>`'[]'::jsonb`).as('affectedDevices'),
        ]),
      { columns: ['softwareId'] },
      {
        query: db.selectFrom('packages').select('packages.id as softwareId').where('packages.id', 'in', shared),
        once: true,
      },
    )
  },
})

type Device = Static<typeof SharedFailureDevice>

function devicesOf(failing: RawBuilder<unknown>): RawBuilder<Device[]> {
  return sql<Device[]>`(
    select coalesce(jsonb_agg(jsonb_build_object('id', computers.id, 'hostname', computers.name, 'domain', computers.domain,
      'lastFailedUtc', ${timeAsJson(sql`failing.failed_at`)}, 'errorText', failing.error_text) order by computers.id), '[]')
    from (
      select found.computer_id, found.failed_at, found.error_text from ${failing} and found.package_id = packages.id
      order by found.computer_id limit ${mostDevices}
    ) as failing join computers on computers.id = failing.computer_id)`
}
