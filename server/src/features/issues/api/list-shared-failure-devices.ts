import { sql } from 'kysely'
import { ok, operation } from '../../../platform/operation.ts'
import { pageOf, paging } from '../../../platform/paging.ts'
import { closed, pagedResultOf } from '../../../platform/schema.ts'
import { invalidPart } from '../../../platform/validation.ts'
import { matchComputerIds } from '../../computers/match-computers.ts'
import { fleetFilters, fleetScope } from '../../groups/fleet-filter.ts'
import { groupNotFound } from '../../groups/groups.ts'
import { failedDeployment, packageFilters } from '../failed-deployment.ts'
import { affectedComputers } from '../issue.ts'
import { SharedFailureDevice } from './schemas.ts'

export const listSharedFailureDevices = operation({
  id: 'listSharedFailureDevices',
  route: 'GET /api/computer/issues/shared-package-failure/devices',
  summary: 'List the computers on which a package currently fails',
  description:
    'Requires `softwareId` or `packageName`. If several packages match `packageName`, each computer shows its latest ' +
    'failure.',
  role: 'computer.read',
  execution: { kind: 'FleetRead' },
  query: closed({ ...paging, ...fleetFilters, ...packageFilters }),
  returns: ok(pagedResultOf(SharedFailureDevice)),
  problems: [groupNotFound],
  async handle(call) {
    const { query, db } = call
    const { softwareId, packageName } = query
    if (!softwareId && !packageName) throw invalidPart('query', 'softwareId', 'or packageName is required')
    const filter = { ...(softwareId && { softwareId }), ...(packageName && { packageName }) }
    const latestFailure = sql<{ failed_at: Date | null; error_text: string | null }>`lateral (
      select failure.failed_at, failure.error_text from (${failedDeployment.occurrences(filter)}) as failure
      where failure.computer_id = computers.id
      order by failure.failed_at desc nulls last, failure.package_id limit 1)`.as<'latest_failure'>(sql`latest_failure`)
    return pageOf(
      call,
      db
        .selectFrom('computers')
        .innerJoin(latestFailure, (join) => join.onTrue())
        .select([
          'computers.id',
          'computers.name as hostname',
          'computers.domain',
          'latest_failure.failed_at as lastFailedUtc',
          'latest_failure.error_text as errorText',
        ]),
      { columns: ['id'] },
      matchComputerIds(db, affectedComputers(failedDeployment, filter, await fleetScope(db, query))),
    )
  },
})
