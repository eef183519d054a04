import { type RawBuilder, sql } from 'kysely'
import { timeAsJson } from '../../../database/sql-time.ts'
import { ok, operation } from '../../../platform/operation.ts'
import { pageOf, paging } from '../../../platform/paging.ts'
import { closed, Int32, pagedResultOf, type Static, Type } from '../../../platform/schema.ts'
import { fleetFilters, fleetScope } from '../../groups/fleet-filter.ts'
import { groupNotFound } from '../../groups/groups.ts'
import { failedDeployment, packageFilters } from '../failed-deployment.ts'
import { type SharedFailureDevice, SharedPackageFailure } from './schemas.ts'

const maxDevices = 500

export const listSharedPackageFailures = operation({
  id: 'listSharedPackageFailures',
  route: 'GET /api/computer/issues/shared-package-failure',
  summary: 'List packages that fail on several computers',
  description:
    'Those that fail on the most computers come first. A package counts on a computer when its last deployment there failed. The fleet filters select the computers first; ' +
    '`affectedDeviceCount` counts only those. `includeDevices` adds the computers to each package; ' +
    '`listSharedFailureDevices` lists them page by page.',
  role: 'computer.read',
  execution: { kind: 'FleetRead' },
  query: closed({
    ...paging,
    ...fleetFilters,
    minAffectedCount: Type.Optional({
      ...Int32,
      minimum: 1,
      default: 2,
      examples: [2],
      description: 'Only packages that fail on at least this many computers',
    }),
    softwareId: packageFilters.softwareId,
    includeDevices: Type.Optional(
      Type.Boolean({
        default: false,
        examples: [false],
        description: 'Whether each package lists the computers on which it fails',
      }),
    ),
  }),
  returns: ok(pagedResultOf(SharedPackageFailure)),
  problems: [groupNotFound],
  async handle(call) {
    const { query, db } = call
    const { softwareId, minAffectedCount = 2, includeDevices = false } = query
    const scope = await fleetScope(db, query)
    const failures = sql<Failure>`
      select failure.* from (${failedDeployment.occurrences(softwareId ? { softwareId } : {})}) as failure
      where ${scope ? sql`failure.computer_id in (${scope})` : sql`true`}`
    const shared = sql<{ softwareId: string; affectedDeviceCount: number }>`(
      select failure.package_id as "softwareId", count(*)::integer as "affectedDeviceCount" from (${failures}) as failure
      group by failure.package_id having count(*) >= ${minAffectedCount})`.as<'shared'>(sql`shared`)
    return pageOf(
      call,
      db.selectFrom('packages').select([
        'packages.id as softwareId',
        'packages.name as packageName',
        sql<number>`(
            select count(*)::integer from (${failures}) as failure where failure.package_id = packages.id)`.as(
          'affectedDeviceCount',
        ),
        (includeDevices ? affectedDevices(failures) : sql<Device[]>`'[]'::jsonb`).as('affectedDevices'),
      ]),
      { columns: ['affectedDeviceCount', 'softwareId'], descending: true },
      { query: db.selectFrom(shared).select(['shared.affectedDeviceCount', 'shared.softwareId']), once: true },
    )
  },
})

type Device = Static<typeof SharedFailureDevice>
type Failure = { computer_id: number; package_id: string; failed_at: Date | null; error_text: string | null }

/** The computers on which the package of a surrounding row of `packages` fails. */
function affectedDevices(failures: RawBuilder<Failure>): RawBuilder<Device[]> {
  return sql<Device[]>`(
    select coalesce(jsonb_agg(jsonb_build_object('id', computers.id, 'hostname', computers.name, 'domain', computers.domain,
      'lastFailedUtc', ${timeAsJson(sql`device.failed_at`)}, 'errorText', device.error_text) order by computers.id), '[]')
    from (
      select failure.computer_id, failure.failed_at, failure.error_text from (${failures}) as failure
      where failure.package_id = packages.id
      order by failure.computer_id limit ${maxDevices}
    ) as device join computers on computers.id = device.computer_id)`
}
