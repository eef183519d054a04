import { sql } from 'kysely'
import { ok, operation } from '../../../platform/operation.ts'
import { pageOf, paging } from '../../../platform/paging.ts'
import { closed, pagedResultOf } from '../../../platform/schema.ts'
import { invalidPart } from '../../../platform/validation.ts'
import { fleetFilters, fleetScope } from '../../computers/fleet-filter.ts'
import { matchComputerIds } from '../../computers/match-computers.ts'
import { failedDeployment, packageFilters } from '../failed-deployment.ts'
import { affectedBy } from '../issue.ts'
import { SharedFailureDevice } from './schemas.ts'

export const listSharedFailureDevices = operation({
  id: 'listSharedFailureDevices',
  route: 'GET /api/computer/issues/shared-package-failure/devices',
  summary: 'List the computers on which a package fails at present',
  description: 'Where several packages have `packageName` in their names, a computer shows the failure that came last.',
  role: 'computer.read',
  fleetWide: true,
  query: closed({ ...paging, ...fleetFilters, ...packageFilters }),
  returns: ok(pagedResultOf(SharedFailureDevice)),
  handle(call) {
    const { query, db } = call
    const { softwareId, packageName } = query
    if (!softwareId && !packageName) throw invalidPart('query', 'softwareId', 'or packageName is required')
    const asked = { ...(softwareId && { softwareId }), ...(packageName && { packageName }) }
    const last = sql<{ failed_at: Date | null; error_text: string | null }>`lateral (
      select found.failed_at, found.error_text from (${failedDeployment.findings(asked)}) as found
      where found.computer_id = computers.id
      order by found.failed_at desc nulls last, found.package_id limit 1)`.as<'last'>(sql`last`)
    return pageOf(
      call,
      db
        .selectFrom('computers')
        .innerJoin(last, (join) => join.onTrue())
        .select([
          'computers.id',
          'computers.name as hostname',
          'computers.domain',
          'last.failed_at as lastFailedUtc',
          'last.error_text as errorText',
        ]),
      { columns: ['id'] },
      matchComputerIds(db, affectedBy(failedDeployment, asked, fleetScope(query))),
    )
  },
})
