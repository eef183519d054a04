import { sql } from 'kysely'
import { ok, operation } from '../../../platform/operation.ts'
import { pageOf, paging } from '../../../platform/paging.ts'
import { closed, pagedResultOf, Type } from '../../../platform/schema.ts'
import { CauseId } from '../../deployments/api/retry/schemas.ts'
import { type CurrentFailure, currentFailures } from '../../deployments/failures/current-failures.ts'
import { PackagePath } from '../../packages/api/schemas.ts'
import { requirePackage } from '../../packages/package-rows.ts'
import { packageNotFound } from '../../packages/problems.ts'
import { FailingComputer } from './package-schemas.ts'

export const listPackageFailures = operation({
  id: 'listPackageFailures',
  route: 'GET /api/fleet/packages/:id/failures',
  summary: 'List the computers on which a package fails now',
  description:
    'With the output of each, ordered by id. `causeId` selects those of one cause of getPackagePage. Of more than 5,000 ' +
    'failures, the latest 5,000 are listed.',
  role: 'computer.read',
  execution: { kind: 'FleetRead' },
  extension: true,
  params: PackagePath,
  query: closed({ ...paging, causeId: Type.Optional(CauseId) }),
  returns: ok(pagedResultOf(FailingComputer)),
  problems: [packageNotFound],
  async handle(call) {
    const { params, query, db } = call
    await requirePackage(db, params.id)
    const failures = sql<CurrentFailure>`(${currentFailures(params.id)})`.as<'failure'>(sql`failure`)
    const { causeId } = query
    return pageOf(
      call,
      db
        .selectFrom(failures)
        .innerJoin('computers', 'computers.id', 'failure.computer_id')
        .leftJoin('computer_contacts', 'computer_contacts.computer_id', 'computers.id')
        .select([
          'computers.id',
          'computers.name as hostname',
          'computers.domain',
          'computer_contacts.last_seen_at as lastSeenUtc',
          'failure.failed_at as failedUtc',
          'failure.exit_code as exitCode',
          'failure.output',
          'failure.cause_id as causeId',
        ])
        .$if(causeId !== undefined, (rows) => rows.where('failure.cause_id', '=', causeId ?? '')),
      { columns: ['id'] },
    )
  },
})
